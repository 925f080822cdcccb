import Notation

/// An image of a file laid over the photo.
public struct Overlay: Sendable, Hashable, CustomStringConvertible {
  /// Copies of the image all over the photo.
  public struct Tiling: Sendable, Hashable {
    /// Between two copies, as a part of the image's longer edge.
    public var spacing: Double
  }

  public var file: NamedFile
  public var gravity: Gravity
  /// The overlay's width as a part of the frame's.
  public var scale: Double
  /// The distance from the edges as a part of the frame's shorter edge.
  public var margin: Double
  /// To the right and down from where gravity and margin put it, in parts of the frame's shorter edge.
  public var offset = Placement.Point(0, 0)
  /// Clockwise, in degrees; about the middle.
  public var angle = 0.0
  /// The colour of a blurred copy behind the image.
  public var shadow: Colour?
  /// Nil for one copy.
  public var tiling: Tiling?

  public var description: String {
    "\(file.path) \(gravity.rawValue) scale \(scale.short) margin \(margin.short)"
      + (offset == .zero ? "" : " moved by \(offset.x.short), \(offset.y.short)")
      + (tiling.map { " tiled \($0.spacing.short)" } ?? "")
      + (angle == 0 ? "" : " at \(angle.short)°")
      + (shadow?.json?.string.map { " shadow \($0)" } ?? "")
  }
}
