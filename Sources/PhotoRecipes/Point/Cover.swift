/// The coverage of a pixel, 0…1: the fraction of a change that the pixel gets.
///
/// Masks consist of such coverages.
///
/// Lengths are fractions of the frame's shorter edge.
public struct Cover: Sendable, Hashable {
  public enum Shape: Sendable, Hashable {
    /// 0 up to `start`, 1 from `end` on, with a smoothstep between.
    case linear(start: Placement.Point, end: Placement.Point)
    /// 1 inside an ellipse, 0 outside. The radii are along its axes, which are rotated clockwise by
    /// `angle` degrees. The edge is a smoothstep over the outer fraction `feather` of the radius,
    /// 0…1.
    case radial(centre: Placement.Point, radii: Placement.Point, angle: Double, feather: Double)
    /// 1 inside, 0 outside; the edge is a smoothstep that extends over `feather` on either side.
    case polygon([Placement.Point], feather: Double)
    /// 1 if the first channel, clipped to 0…1, is in a range, with a smoothstep to 0 at a distance
    /// of `feather` from the range.
    case range(ClosedRange<Double>, feather: Double)
    /// 1 if the second and the third channel are within `radius` of a point, with a smoothstep to 0
    /// over a further distance of `feather`.
    case disc(a: Double, b: Double, radius: Double, feather: Double)
    /// The first band of one of the program's images, stretched over the frame; the value is the
    /// image's index.
    case map(Int)
  }

  /// The operation that combines a coverage a with a coverage b computed after it.
  public enum Combination: String, Sendable, Hashable {
    /// a + b − ab.
    case add
    /// a × (1 − b).
    case subtract
    /// a × b.
    case intersect
  }

  public var shape: Shape
  public var placement = Placement.whole
  /// The frame's width divided by its height.
  public var aspect = 1.0

  public init(_ shape: Shape) { self.shape = shape }

  var dependsOnPosition: Bool {
    switch shape {
    case .linear, .radial, .polygon, .map: true
    case .range, .disc: false
    }
  }
}

extension Cover: CustomStringConvertible {
  public var description: String {
    func text(_ point: Placement.Point) -> String { "(\(point.x.short), \(point.y.short))" }
    let name =
      switch shape {
      case .linear(let start, let end): "linear \(text(start)) → \(text(end))"
      case .radial(let centre, let radii, let angle, let feather):
        "radial \(text(centre)) \(text(radii)) \(angle.short)° feather \(feather.short)"
      case .polygon(let points, let feather):
        "polygon \(points.map(text).joined(separator: " ")) feather \(feather.short)"
      case .range(let range, let feather):
        "range \(range.lowerBound.short)…\(range.upperBound.short) feather \(feather.short)"
      case .disc(let a, let b, let radius, let feather):
        "disc \(text(.init(a, b))) \(radius.short) feather \(feather.short)"
      case .map(let image): "image \(image)"
      }
    return "\(name)\(placement)"
  }
}
