import Notation

/// Cuts the corners of the frame off along quarter circles and fills them with a colour.
public struct RoundedCorners: Sendable, Hashable, CustomStringConvertible {
  /// The radius; a relative length is a fraction of the frame's shorter edge.
  public var radius: Length
  public var colour: Colour
  public var dpi: Double

  /// The radius in pixels, at most half the shorter edge.
  public func radius(in frame: Size) -> Int {
    min(radius.pixels(of: frame.shortEdge, dpi: dpi), frame.shortEdge / 2)
  }

  public var description: String { "radius \(radius) \(colour.json?.string ?? "")" }
}
