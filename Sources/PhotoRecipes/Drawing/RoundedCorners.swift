import Notation

/// Corners of the frame cut off along quarter circles, and what shows in their place.
public struct RoundedCorners: Sendable, Hashable, CustomStringConvertible {
  /// A part refers to the frame's shorter edge.
  public var radius: Length
  public var colour: Colour
  public var dpi: Double

  /// Pixels: at most half the shorter edge.
  public func radius(in frame: Size) -> Int {
    min(radius.pixels(of: frame.shortEdge, dpi: dpi), frame.shortEdge / 2)
  }

  public var description: String { "radius \(radius) \(colour.json?.string ?? "")" }
}
