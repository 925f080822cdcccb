/// A vignette: a gain of linear light that depends on the distance from the centre of a frame.
///
/// The distance is 0 at the centre and 1 at the corners, on ellipses in the shape of the frame: `s
/// = clamp((distance − inner) / (outer − inner))`, `gain = 1 + strength × s² × (3 − 2s)`.
public struct RadialGain: Sendable, Hashable {
  public var strength: Double
  public var inner: Double
  public var outer: Double
  public var placement = Placement.whole

  public init(strength: Double, inner: Double, outer: Double) {
    self.strength = strength
    self.inner = inner
    self.outer = outer
  }

  public func callAsFunction(distance: Double) -> Double {
    1 + strength * ((distance - inner) / (outer - inner)).smoothstep
  }
}

extension RadialGain: CustomStringConvertible {
  public var description: String {
    "×(1 + \(strength.short)) from \(inner.short) to \(outer.short)\(placement)"
  }
}
