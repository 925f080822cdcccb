/// A gain of linear light that changes with the distance from the centre of a frame: a vignette.
///
/// The distance is 0 at the centre and 1 at the frame's corners, on ellipses that follow the frame:
/// `s = clamp((distance − inner) / (outer − inner))`, `gain = 1 + strength × s² × (3 − 2s)`.
public struct RadialGain: Sendable, Hashable {
  public var strength: Double
  public var inner: Double
  public var outer: Double
  /// The part of the frame that the image shows, after crops: origin and size in 0…1 of the frame.
  public var view = View()

  public struct View: Sendable, Hashable {
    public var left = 0.0
    public var top = 0.0
    public var width = 1.0
    public var height = 1.0
  }

  public init(strength: Double, inner: Double, outer: Double) {
    self.strength = strength
    self.inner = inner
    self.outer = outer
  }

  public func callAsFunction(distance: Double) -> Double {
    let s = min(1, max(0, (distance - inner) / (outer - inner)))
    return 1 + strength * s * s * (3 - 2 * s)
  }

  /// The same gain on the rectangle of an image of `size`.
  func cropped(to rectangle: Rectangle, of size: Size) -> RadialGain {
    var cropped = self
    cropped.view.left += view.width * Double(rectangle.left) / Double(size.width)
    cropped.view.top += view.height * Double(rectangle.top) / Double(size.height)
    cropped.view.width *= Double(rectangle.size.width) / Double(size.width)
    cropped.view.height *= Double(rectangle.size.height) / Double(size.height)
    return cropped
  }
}

extension RadialGain: CustomStringConvertible {
  public var description: String {
    let place =
      view == View()
      ? ""
      : " in \(view.left.short),\(view.top.short) \(view.width.short)×\(view.height.short)"
    return "×(1 + \(strength.short)) from \(inner.short) to \(outer.short)\(place)"
  }
}
