/// The look `camera`: a rising curve that gives the photo the tones of the embedded JPEG, and a
/// mild change of saturation towards the JPEG's.
///
/// The curve is applied to each channel. It maps each quantile of the values of all channels of the
/// scene to the same quantile of the JPEG. Light beyond the brightest pixel of the measured view
/// becomes a little brighter than white.
public struct CameraLook: MeasuringOperation {
  public static let viewEdge = 512
  public static let seesEverythingIfExact = false
  /// The range of the factor by which the saturation is multiplied.
  private static let saturations = 0.8...1.4
  /// The minimum distance between two knots of the curve, and the permitted slopes between them.
  private static let step = 0.012
  private static let slopes = 0.02...8.0

  /// The tones of the embedded JPEG.
  let target: PictureTones
  var use = LookUse()

  public var label: String { "camera look" }

  public func append(to graph: inout Graph, continuing input: Graph.ID) -> Graph.ID? { nil }

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    graph.append(.program(program(fitted(to: view))), input)
  }

  /// The program of a fitted look; nil means that the photo is too small for a fit, and gets the
  /// look `neutral`.
  func program(_ look: FittedLook?) -> PointProgram {
    look?.program(use) ?? NeutralTone.program(use)
  }

  /// The look that gives the photo in `view` the tones of the embedded JPEG; nil if the view is too
  /// small.
  public func fitted(to view: PhotoView) -> FittedLook? {
    let pixels = view.visible
    guard let scene = PictureTones(pixels) else { return nil }
    var look = FittedLook(knots: knots(of: scene), saturation: 1)
    let toned = pixels.map { pixel in
      SIMD3<Float>(
        Float(look.value(at: Double(max(0, pixel.x)))),
        Float(look.value(at: Double(max(0, pixel.y)))),
        Float(look.value(at: Double(max(0, pixel.z)))))
    }
    let shown = PictureTones.colour(of: toned)
    if shown > 0.002 {
      let range = Self.saturations
      let change = min(range.upperBound, max(range.lowerBound, target.colour / shown))
      look = FittedLook(knots: look.knots, saturation: change)
    }
    return look
  }

  /// The knots of the curve from the scene's display-encoded values to the JPEG's.
  private func knots(of scene: PictureTones) -> [SIMD2<Double>] {
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
    return knots
  }
}
