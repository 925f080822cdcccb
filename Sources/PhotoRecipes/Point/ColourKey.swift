/// Makes what is near a colour see-through, and takes the colour's hue out of what it shines on.
///
/// In OKLab, with the distance `d = |(lightness × (L − L₀), a − a₀, b − b₀)|` from the key, alpha is × a
/// smooth step of `(d − tolerance) ÷ softness`. With the part p of (a, b) along the key's hue and q
/// across it, `spill × max(0, p − √3 |q|)` of it goes: at 1 no hue is left that is within 30° of the
/// key's.
public struct ColourKey: Sendable, Hashable {
  /// In OKLab.
  public var colour: ColourMatrix.Vector
  /// The weight of a difference in lightness, 0…1.
  public var lightness: Double
  public var tolerance: Double
  public var softness: Double
  public var spill: Double

  public init(
    _ colour: Colour, lightness: Double, tolerance: Double, softness: Double, spill: Double
  ) {
    self.colour = OKLab.colour(colour)
    self.lightness = lightness
    self.tolerance = tolerance
    self.softness = softness
    self.spill = spill
  }

  /// The chroma from which on a colour has a hue.
  private static let leastChroma = 0.02

  /// Where the key's hue lies in (a, b), at 1 from grey; nowhere for a grey.
  public var direction: Placement.Point {
    let way = Placement.Point(colour.y, colour.z)
    let chroma = (way * way).sum().squareRoot()
    return chroma < Self.leastChroma ? .zero : way / chroma
  }
}

extension ColourKey: CustomStringConvertible {
  public var description: String {
    let lab = "(\(colour.x.short), \(colour.y.short), \(colour.z.short))"
    return "\(lab) within \(tolerance.short) + \(softness.short), spill \(spill.short)"
  }
}
