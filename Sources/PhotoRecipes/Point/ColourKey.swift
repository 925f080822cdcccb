/// Makes colours near a key colour transparent, and removes reflections of the key colour from
/// other objects.
///
/// With the distance `d = |(lightness × (L − L₀), a − a₀, b − b₀)|` from the key in OKLab, alpha is
/// multiplied by a smooth step of `(d − tolerance) ÷ softness`. Let p be the component of (a, b)
/// along the key's hue and q the component across it: `spill × max(0, p − √3 |q|)` is subtracted
/// along the key's hue. At a spill of 1 no hue within 30° of the key's remains.
public struct ColourKey: Sendable, Hashable {
  /// The key colour in OKLab.
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

  /// The chroma below which a colour is treated as a grey, without a hue.
  private static let leastChroma = 0.02

  /// The direction of the key's hue in (a, b), as a vector of length 1; zero for a grey.
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
