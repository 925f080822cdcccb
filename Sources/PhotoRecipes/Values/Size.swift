/// Width and height in pixels, both at least 1.
public struct Size: Sendable, Hashable, CustomStringConvertible {
  public var width: Int
  public var height: Int

  public init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }

  public var description: String { "\(width)×\(height)" }
  /// The size after a quarter turn: width and height exchanged.
  public var turned: Size { Size(height, width) }
  public var pixels: Int { width * height }
  public var longEdge: Int { max(width, height) }
  public var shortEdge: Int { min(width, height) }

  /// The size of the photo after its loader reduces it by `shrink`; fractions of pixels are rounded
  /// down.
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

/// A rectangle in whole pixels, with its origin at the upper left.
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
}
