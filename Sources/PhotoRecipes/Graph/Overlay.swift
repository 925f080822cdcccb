/// An image of a file laid over the photo.
public struct Overlay: Sendable, Hashable, CustomStringConvertible {
  public var file: NamedFile
  public var gravity: Gravity
  /// The overlay's width as a part of the frame's.
  public var scale: Double
  /// The distance from the edges as a part of the frame's shorter edge.
  public var margin: Double

  public var description: String {
    "\(file.path) \(gravity.rawValue) scale \(scale.short) margin \(margin.short)"
  }
}
