/// The look `camera`: a rising curve that gives the photo the tones of the embedded JPEG, and a
/// mild change of saturation towards the JPEG's.
///
/// The curve is applied to each channel. It maps each quantile of the values of all channels of the
/// scene to the same quantile of the JPEG. Light beyond the brightest pixel of the measured view
/// becomes a little brighter than white.
struct CameraLook: MeasuringOperation {
  static let viewEdge = 512
  static let seesEverythingIfExact = false
  /// The range of the factor by which the saturation is multiplied.
  private static let saturations = 0.8...1.4
  /// The minimum distance between two knots of the curve, and the permitted slopes between them.
  private static let step = 0.012
  private static let slopes = 0.02...8.0

  /// The tones of the embedded JPEG.
  let target: PictureTones

  var label: String { "camera look" }

  func append(to graph: inout Graph, continuing input: Graph.ID) -> Graph.ID? { nil }

  func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let pixels = view.visible
    guard let scene = PictureTones(pixels) else {
      return graph.append(.program(NeutralTone.program), input)
    }
    let (knots, reach) = self.knots(of: scene)
    let count = 512
    let samples = (0...count).map { Self.value(knots, at: Double($0) / Double(count) * reach) }
    let curves: [Curve] = [
      .nonNegative, .linear(slope: 1 / reach, offset: 0), .sampled(samples),
    ]
    var instructions = [PointProgram.Instruction.channels(red: curves, green: curves, blue: curves)]
    let toned = pixels.map { pixel in
      SIMD3<Float>(
        Float(Self.value(knots, at: Double(max(0, pixel.x)))),
        Float(Self.value(knots, at: Double(max(0, pixel.y)))),
        Float(Self.value(knots, at: Double(max(0, pixel.z)))))
    }
    if let shown = PictureTones(toned), shown.colour > 0.002 {
      let range = Self.saturations
      let change = min(range.upperBound, max(range.lowerBound, target.colour / shown.colour))
      instructions.append(.matrix(Self.saturation(change)))
    }
    return graph.append(.program(PointProgram(instructions)), input)
  }

  /// The matrix that multiplies the distance of each channel from the luma by `factor`.
  private static func saturation(_ factor: Double) -> ColourMatrix {
    let luma = ColourMatrix.Vector(0.2126, 0.7152, 0.0722) * (1 - factor)
    return ColourMatrix(
      luma + .init(factor, 0, 0), luma + .init(0, factor, 0), luma + .init(0, 0, factor))
  }

  /// The knots of the curve from the scene's display-encoded values to the JPEG's, and the largest
  /// value for which the curve is defined.
  private func knots(
    of scene: PictureTones
  ) -> (knots: [SIMD2<Double>], reach: Double) {
    var knots = [SIMD2(0.0, 0.0)]
    for (x, y) in zip(scene.values, target.values) {
      guard let last = knots.last, x - last.x >= Self.step else { continue }
      let slope = min(
        Self.slopes.upperBound, max(Self.slopes.lowerBound, (y - last.y) / (x - last.x)))
      knots.append(SIMD2(x, min(1, last.y + slope * (x - last.x))))
    }
    let last = knots[knots.count - 1]
    let reach = max(1.6, last.x * 1.25)
    knots.append(SIMD2(reach, max(1, last.y) + 0.02))
    return (knots, reach)
  }

  private static func value(_ knots: [SIMD2<Double>], at x: Double) -> Double {
    var low = 0
    var high = knots.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if knots[middle].x <= x { low = middle } else { high = middle }
    }
    let (a, b) = (knots[low], knots[low + 1])
    return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
  }
}
