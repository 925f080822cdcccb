/// Width and height in pixels, both at least 1.
public struct Size: Sendable, Hashable, CustomStringConvertible {
  public var width: Int
  public var height: Int

  public init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }

  public var description: String { "\(width)×\(height)" }
  /// The size after a quarter turn.
  public var turned: Size { Size(height, width) }
  public var pixels: Int { width * height }
  public var longEdge: Int { max(width, height) }
  public var shortEdge: Int { min(width, height) }

  /// What a loader makes of the photo that it reduces by `shrink`: parts of pixels are cut off.
  public func reduced(by shrink: Int) -> Size {
    Size(max(1, width / shrink), max(1, height / shrink))
  }

  /// Both edges times `factor`, rounded, at least 1.
  public func scaled(by factor: Double) -> Size {
    Size(
      max(1, Int((Double(width) * factor).rounded())),
      max(1, Int((Double(height) * factor).rounded())))
  }
}

/// A rectangle of whole pixels, its origin at the top left.
public struct Rectangle: Sendable, Hashable, CustomStringConvertible {
  public var left: Int
  public var top: Int
  public var size: Size

  public init(left: Int, top: Int, size: Size) {
    self.left = left
    self.top = top
    self.size = size
  }

  public var description: String { "\(size)+\(left)+\(top)" }

  /// A rectangle of `inner` placed in `outer` by gravity.
  public static func placed(_ inner: Size, in outer: Size, _ gravity: Gravity) -> Rectangle {
    let space = (outer.width - inner.width, outer.height - inner.height)
    let (x, y) = gravity.fractions
    return Rectangle(
      left: Int((Double(space.0) * x).rounded(.down)),
      top: Int((Double(space.1) * y).rounded(.down)), size: inner)
  }
}

/// Where something stands in a frame.
public enum Gravity: String, Choice {
  case center, north, northeast, east, southeast, south, southwest, west, northwest

  /// The part of the free space that lies to the left and above, 0…1.
  public var fractions: (x: Double, y: Double) {
    let x =
      switch self {
      case .northwest, .west, .southwest: 0.0
      case .north, .center, .south: 0.5
      case .northeast, .east, .southeast: 1.0
      }
    let y =
      switch self {
      case .northwest, .north, .northeast: 0.0
      case .west, .center, .east: 0.5
      case .southwest, .south, .southeast: 1.0
      }
    return (x, y)
  }
}
