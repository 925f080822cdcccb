/// The position of an image in the frame for which an instruction was created, after crops, turns
/// and flips.
///
/// Image and frame have coordinates 0…1 from the left and from the top: the point (u, v) of the
/// image is the point `origin + u × across + v × down` of the frame.
public struct Placement: Sendable, Hashable {
  public typealias Point = SIMD2<Double>

  public var origin = Point(0, 0)
  /// The vector of the image's upper edge, in the frame.
  public var across = Point(1, 0)
  /// The vector of the image's left edge, in the frame.
  public var down = Point(0, 1)

  public init() {}

  public init(origin: Point, across: Point, down: Point) {
    self.origin = origin
    self.across = across
    self.down = down
  }

  /// The placement of an image that is the whole frame.
  public static let whole = Placement()

  public func callAsFunction(_ point: Point) -> Point {
    origin + point.x * across + point.y * down
  }

  /// The placement of the image after a crop to `rectangle`, in pixels; `size` is the image's size
  /// before the crop.
  func cropped(to rectangle: Rectangle, of size: Size) -> Placement {
    let (width, height) = (Double(size.width), Double(size.height))
    return Placement(
      origin: self(Point(Double(rectangle.left) / width, Double(rectangle.top) / height)),
      across: across * (Double(rectangle.size.width) / width),
      down: down * (Double(rectangle.size.height) / height))
  }

  /// The placement of the image after clockwise quarter turns.
  func turned(_ quarters: Int) -> Placement {
    (0..<quarters).reduce(self) { turned, _ in
      Placement(origin: turned.origin + turned.down, across: -turned.down, down: turned.across)
    }
  }
}

extension Placement: CustomStringConvertible {
  /// The placement as text; empty for the whole frame.
  public var description: String {
    if self == .whole { return "" }
    let numbers = [origin, across, down].map { "\($0.x.short),\($0.y.short)" }
    return " at \(numbers.joined(separator: " "))"
  }
}
