import Glibc

extension Mask {
  /// Returns the instructions that compute the mask's coverage without changing the pixel, and the
  /// maps that these instructions read.
  ///
  /// The first map has the index `first`.
  func program(
    firstImage first: Int = 0
  ) -> (
    instructions: [PointProgram.Instruction], maps: [MapSource]
  ) {
    var (instructions, maps) = feather > 0 ? blurredProgram(first) : shapeProgram(first)
    let (gain, offset) = isInverted ? (-density, density) : (density, 0)
    if gain != 1 { instructions.append(.fade(gain: gain, offset: offset)) }
    return (instructions, maps)
  }

  private func blurredProgram(_ first: Int) -> ([PointProgram.Instruction], [MapSource]) {
    let (shape, maps) = shapeProgram(0)
    let coverage = CoverageMap(of: shape, maps, feather: feather)
    return ([.cover(Cover(.map(first)))], [.coverage(coverage)])
  }

  private func shapeProgram(_ first: Int) -> ([PointProgram.Instruction], [MapSource]) {
    switch shape {
    case .linear(let from, let to): return ([.cover(Cover(.linear(start: from, end: to)))], [])
    case .radial(let centre, let radii, let angle, let feather):
      let cover = Cover(.radial(centre: centre, radii: radii, angle: angle, feather: feather))
      return ([.cover(cover)], [])
    case .polygon(let points, let feather) where feather > Self.thinFeather:
      let sharp = Cover(.polygon(points, feather: Self.thinFeather / 10))
      // A Gaussian with this sigma has the same variance as the smooth step with which a polygon
      // with a thin `feather` fades.
      let coverage = CoverageMap(of: [.cover(sharp)], [], feather: feather / 5.0.squareRoot())
      return ([.cover(Cover(.map(first)))], [.coverage(coverage)])
    case .polygon(let points, let feather):
      return ([.cover(Cover(.polygon(points, feather: feather)))], [])
    case .luminance(let range, let feather):
      return (Self.inOKLab(.range(range, feather: feather)), [])
    case .colour(let colour, let tolerance, let feather):
      let lab = OKLab.colour(colour)
      return (Self.inOKLab(.disc(a: lab.y, b: lab.z, radius: tolerance, feather: feather)), [])
    case .image(let file, let feather):
      return ([.cover(Cover(.map(first)))], [.file(file, feather: feather)])
    case .auxiliary(let map): return ([.cover(Cover(.map(first)))], [.auxiliary(map)])
    case .face(let part): return ([.cover(Cover(.map(first)))], [.faces(FaceMap(part))])
    case .combination(let combination, let parts):
      var instructions: [PointProgram.Instruction] = []
      var maps: [MapSource] = []
      for (index, part) in parts.enumerated() {
        let (more, moreMaps) = part.program(firstImage: first + maps.count)
        instructions += more + (index == 0 ? [] : [.combine(combination)])
        maps += moreMaps
      }
      return (instructions, maps)
    }
  }

  private static func inOKLab(_ shape: Cover.Shape) -> [PointProgram.Instruction] {
    [.save] + WorkingSpace.oklab.entry + [.cover(Cover(shape)), .restore]
  }
}

extension OKLab {
  /// The OKLab coordinates of a display-encoded colour.
  static func colour(_ colour: Colour) -> ColourMatrix.Vector {
    let light = [colour.red, colour.green, colour.blue].map { Curve.decode(Double($0) / 255) }
    let lms = lmsFromRGB(ColourMatrix.Vector(light[0], light[1], light[2]))
    return labFromLMS(ColourMatrix.Vector(cbrt(lms.x), cbrt(lms.y), cbrt(lms.z)))
  }
}
