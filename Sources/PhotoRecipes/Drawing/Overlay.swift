/// An image of a file laid over the photo.
public struct Overlay: Sendable, Hashable, CustomStringConvertible {
  /// Copies of the image all over the photo.
  public struct Tiling: Sendable, Hashable {
    /// Between two copies, as a part of the image's longer edge.
    public var spacing: Double
    /// Clockwise, in degrees.
    public var angle: Double
  }

  public var file: NamedFile
  public var gravity: Gravity
  /// The overlay's width as a part of the frame's.
  public var scale: Double
  /// The distance from the edges as a part of the frame's shorter edge.
  public var margin: Double
  /// Nil for one copy.
  public var tiling: Tiling?

  public var description: String {
    let place = tiling.map { "tiled \($0.spacing.short) at \($0.angle.short)°" }
    return "\(file.path) \(gravity.rawValue) scale \(scale.short) margin \(margin.short)"
      + (place.map { " \($0)" } ?? "")
  }
}
