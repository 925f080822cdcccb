import Notation

/// An image from a file, laid over the photo.
public struct Overlay: Sendable, Hashable, CustomStringConvertible {
  /// Repeats the image over the whole photo.
  public struct Tiling: Sendable, Hashable {
    /// The distance between two copies, as a fraction of the image's longer edge.
    public var spacing: Double
  }

  public var file: NamedFile
  public var gravity: Gravity
  /// The overlay's width as a fraction of the frame's width.
  public var scale: Double
  /// The distance from the frame's edges, as a fraction of the frame's shorter edge.
  public var margin: Double
  /// The shift to the right and down from the position that gravity and margin determine, as
  /// fractions of the frame's shorter edge.
  public var offset = Placement.Point(0, 0)
  /// The rotation about the image's centre, clockwise, in degrees.
  public var angle = 0.0
  /// The colour of a blurred copy behind the image; nil for no copy.
  public var shadow: Colour?
  /// The spacing of repeated copies; nil for a single copy.
  public var tiling: Tiling?
  /// The mode in which the image is blended with the photo below it.
  public var mode = BlendMode.normal

  public var description: String {
    "\(file.path) \(gravity.rawValue) scale \(scale.short) margin \(margin.short)"
      + (offset == .zero ? "" : " moved by \(offset.x.short), \(offset.y.short)")
      + (tiling.map { " tiled \($0.spacing.short)" } ?? "")
      + (angle == 0 ? "" : " at \(angle.short)°")
      + (shadow?.json?.string.map { " shadow \($0)" } ?? "")
      + (mode == .normal ? "" : " \(mode.rawValue)")
  }
}
