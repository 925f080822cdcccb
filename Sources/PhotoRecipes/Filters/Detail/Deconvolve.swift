/// Removes the blur of lens and sensor by Richardson–Lucy deconvolution of the luminance.
///
/// - d: the luminance of the photo in linear light, plus 1/4096.
/// - P: the blur, a Gaussian of `radius`.
/// - u: the sharp luminance. It is d at the start; each iteration replaces it by `u × P(1 + t (d ÷
///   P(u) − 1))`.
/// - t: the damping. It is 1 for differences beyond the noise, and falls steeply to 0 for smaller
///   differences: `U⁹ (10 − 9 U)` with `U = min(1, (d − P(u))² ÷ (threshold² × P(u)))`.
/// - `halo`: the limit of overshoot. If u is outside the range of d within twice the radius, this
///   fraction of the excess is removed.
///
/// R, G and B are multiplied by `1 + amount × (u ÷ d − 1)`.
/// - Source: W. H. Richardson, J. Opt. Soc. Am. 62 (1972); L. B. Lucy, Astron. J. 79 (1974); R. L.
///   White, Proc. SPIE 2198 (1994), for the damping.
public struct Deconvolve: Filter {
  public static let name = "deconvolve"
  public static let summary = "Restores sharpness that the lens and the sensor lost."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.fraction, 0...1), identity: 0,
      "The strength of the sharpening."),
    Setting(
      "radius", \.radius, .number(.pixels, 0.3...2),
      "The standard deviation of the blur to be undone; 0.5 to 0.8 for most cameras."),
    Setting(
      "iterations", \.iterations, .integer(.factor, 1...20),
      "More restore more detail, and take more time."),
    Setting(
      "threshold", \.threshold, .number(.fraction, 0...1),
      "The standard deviation of noise at white in linear light, which is not sharpened; that of"
        + " darker tones is less, by the square root of the light."
    ),
    Setting(
      "halo", \.halo, .number(.fraction, 0...1),
      "How much of the bright and dark halos along edges is removed; 1 removes all."),
  ]

  public var amount = 1.0
  public var radius = 0.7
  public var iterations = 10
  public var threshold = 0.01
  public var halo = 0.5

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let operation = AreaOperation(
      .deconvolve,
      [
        "sigma": .length(radius), "iterations": .number(Double(iterations)),
        "amount": .number(amount), "threshold": .number(threshold), "halo": .number(halo),
      ])
    return graph.append(.area(operation), input)
  }
}
