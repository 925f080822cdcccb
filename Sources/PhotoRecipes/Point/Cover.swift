import Foundation

/// The share of a change that a pixel gets, 0…1: the parts of which masks consist.
///
/// Lengths are parts of the frame's shorter edge.
public struct Cover: Sendable, Hashable {
  public enum Shape: Sendable, Hashable {
    /// 0 at `start` and before it, 1 at `end` and beyond: a smoothstep.
    case linear(start: Placement.Point, end: Placement.Point)
    /// 1 inside an ellipse with these radii along its own axes, which are turned clockwise by
    /// `angle` degrees; 0 outside. The edge is a smoothstep over the outer `feather` part of the
    /// radius, 0…1.
    case radial(centre: Placement.Point, radii: Placement.Point, angle: Double, feather: Double)
    /// 1 inside, 0 outside; the edge is a smoothstep that reaches `feather` to either side.
    case polygon([Placement.Point], feather: Double)
    /// 1 where the first channel, clipped to 0…1, is in a range, 0 beyond `feather` outside it: a
    /// smoothstep.
    case range(ClosedRange<Double>, feather: Double)
    /// 1 where the second and third channel are within `radius` of a point, 0 beyond `feather` more.
    case disc(a: Double, b: Double, radius: Double, feather: Double)
    /// The first band of another of the program's images, stretched over the frame.
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
  /// The frame's width in units of its height.
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
