/// The position of an object in a frame.
public enum Gravity: String, Choice {
  case center, north, northeast, east, southeast, south, southwest, west, northwest

  /// The part of the free space that is to the left of the object, and the part above it, 0…1.
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

extension Rectangle {
  /// A rectangle of size `inner`, positioned in `outer` by gravity.
  public static func placed(_ inner: Size, in outer: Size, _ gravity: Gravity) -> Rectangle {
    let space = (outer.width - inner.width, outer.height - inner.height)
    let (x, y) = gravity.fractions
    return Rectangle(
      left: Int((Double(space.0) * x).rounded(.down)),
      top: Int((Double(space.1) * y).rounded(.down)), size: inner)
  }
}
