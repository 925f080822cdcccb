import Notation

/// A shadow that the photo casts on the background behind it.
///
/// Lengths are fractions of the photo's shorter edge.
public struct Shadow: Sendable, Hashable {
  /// The shift of the shadow to the right.
  public var x: Double
  /// The shift of the shadow downwards.
  public var y: Double
  /// The sigma of the Gaussian blur.
  public var blur: Double
  public var colour: Colour
  /// The opacity of the shadow, 0…1.
  public var strength: Double
  /// The colour behind the photo.
  public var background: Colour

  /// The blur's sigma and the shift of the shadow, in pixels.
  public func lengths(for size: Size) -> (sigma: Double, x: Int, y: Int) {
    let edge = Double(size.shortEdge)
    return (blur * edge, Int((x * edge).rounded()), Int((y * edge).rounded()))
  }

  /// The frame that contains a photo of `size` and its shadow up to three sigma, and the photo's
  /// rectangle in this frame.
  public func placement(of size: Size) -> (frame: Size, photo: Rectangle) {
    let (sigma, x, y) = lengths(for: size)
    let reach = Int((3 * sigma).rounded(.up))
    let (left, top) = (max(0, reach - x), max(0, reach - y))
    let frame = Size(
      size.width + left + max(0, reach + x), size.height + top + max(0, reach + y))
    return (frame, Rectangle(left: left, top: top, size: size))
  }
}

extension Shadow: CustomStringConvertible {
  public var description: String {
    "\(x.short),\(y.short) blur \(blur.short) \(colour.json?.string ?? "") \(strength.short)"
      + " on \(background.json?.string ?? "")"
  }
}
