import TestRandom

@testable import PhotoRecipes

/// Creates masks with random settings.
enum RandomMask {
  static func mask(_ generator: inout SeededGenerator, depth: Int = 1) -> Mask {
    var mask = Mask(shape(&generator, depth))
    if !mask.dependsOnColours, Bool.random(using: &generator) { mask.feather = unit(&generator) }
    mask.isInverted = Bool.random(using: &generator)
    if Bool.random(using: &generator) { mask.density = unit(&generator) }
    return mask
  }

  private static func shape(_ generator: inout SeededGenerator, _ depth: Int) -> Mask.Shape {
    switch Int.random(in: 0...(depth < Mask.deepest ? 9 : 8), using: &generator) {
    case 0: return .linear(from: place(0, &generator), to: place(1, &generator))
    case 1:
      let isRound = Bool.random(using: &generator)
      let radius = Double.random(in: 0.001...10, using: &generator)
      let height = isRound ? radius : Double.random(in: 0.001...10, using: &generator)
      return .radial(
        centre: place(0, &generator), radii: .init(radius, height),
        angle: isRound ? 0 : Double.random(in: -180...180, using: &generator),
        feather: unit(&generator))
    case 2:
      let corners = (0..<3).map { place(Double($0) / 4, &generator) }
      return .polygon(corners, feather: unit(&generator))
    case 3:
      let low = Double.random(in: 0...0.5, using: &generator)
      return .luminance(low...(low + unit(&generator) / 2), feather: unit(&generator))
    case 4:
      let colour = Colour(
        red: .random(in: 0...255, using: &generator),
        green: .random(in: 0...255, using: &generator),
        blue: .random(in: 0...255, using: &generator))
      return .colour(colour, tolerance: unit(&generator), feather: unit(&generator))
    case 5:
      return .image(NamedFile(path: "a/b.png", folder: ""), feather: unit(&generator))
    case 6:
      let kind = AuxiliaryPicture.mattes.randomElement(using: &generator) ?? .sky
      return .auxiliary(AuxiliaryMap(kind, .matte(feather: unit(&generator)), absent: 0))
    case 7:
      let low = Double.random(in: 0...0.5, using: &generator)
      let range = low...(low + unit(&generator) / 2)
      return .auxiliary(AuxiliaryMap(.depth, .range(range, feather: unit(&generator))))
    case 8: return .face(FaceMap.Part.allCases.randomElement(using: &generator) ?? .all)
    default:
      let ways = [Cover.Combination.add, .subtract, .intersect]
      let parts = (0..<2).map { _ in mask(&generator, depth: depth + 1) }
      return .combination(ways.randomElement(using: &generator) ?? .add, parts)
    }
  }

  private static func unit(_ generator: inout SeededGenerator) -> Double {
    Double.random(in: 0...1, using: &generator)
  }

  private static func place(
    _ left: Double, _ generator: inout SeededGenerator
  ) -> Placement.Point {
    Placement.Point(left + unit(&generator) / 4, Double.random(in: -1...2, using: &generator))
  }
}
