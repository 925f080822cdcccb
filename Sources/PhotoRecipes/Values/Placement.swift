/// Where an image lies in the frame that an instruction was made for, after crops, turns and flips.
///
/// Both have coordinates 0…1 from the left and from the top: the point (u, v) of the image is the
/// point `origin + u × across + v × down` of the frame.
public struct Placement: Sendable, Hashable {
  public typealias Point = SIMD2<Double>

  public var origin = Point(0, 0)
  /// The image's upper edge.
  public var across = Point(1, 0)
  /// The image's left edge.
  public var down = Point(0, 1)

  public init() {}

  public init(origin: Point, across: Point, down: Point) {
    self.origin = origin
    self.across = across
    self.down = down
  }

  /// The image is the whole frame.
  public static let whole = Placement()

  public func callAsFunction(_ point: Point) -> Point {
    origin + point.x * across + point.y * down
  }

  /// For a rectangle of the image, which is of `size`.
  func cropped(to rectangle: Rectangle, of size: Size) -> Placement {
    let (width, height) = (Double(size.width), Double(size.height))
    return Placement(
      origin: self(Point(Double(rectangle.left) / width, Double(rectangle.top) / height)),
      across: across * (Double(rectangle.size.width) / width),
      down: down * (Double(rectangle.size.height) / height))
  }

  /// For the image turned clockwise.
  func turned(_ quarters: Int) -> Placement {
    (0..<quarters).reduce(self) { turned, _ in
      Placement(origin: turned.origin + turned.down, across: -turned.down, down: turned.across)
    }
  }
}

extension Placement: CustomStringConvertible {
  /// Nothing for the whole frame.
  public var description: String {
    if self == .whole { return "" }
    let numbers = [origin, across, down].map { "\($0.x.short),\($0.y.short)" }
    return " at \(numbers.joined(separator: " "))"
  }
}
