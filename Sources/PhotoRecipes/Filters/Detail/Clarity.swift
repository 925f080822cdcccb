import Glibc

/// Strengthens or softens local contrast: detail up to a thirtieth of the frame, but not edges.
///
/// - B: the base, which is the luma without the smaller differences from its surroundings (a local
///   Laplacian filter), and with noise removed.
/// - Detail: the ratio of the luma's distance from B to its distance from black (below B) or from
///   white (above B). It is multiplied by `3^(amount × m)`.
/// - m: `1 − (2B − 1)⁴`, which is 1 in the middle tones, and 0 at black and white.
///
/// Single edges get no halo. Noise in a smooth sky is not strengthened, but it is softened with the
/// detail. See `LocalTone` and `LocalBase`.
public struct Clarity: LocalToneFilter {
  public static let name = "clarity"
  public static let summary = "Strengthens or softens local contrast."
  public static let category = FilterCategory.detail
  public static let revision = 7
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "Above 0 strengthens local contrast, below 0 softens it.")
  ]

  public var amount = 0.0

  public init() {}

  var base: LocalBase { amount < 0 ? .contrast.countingNoise : .contrast }

  func sample(_ base: Double) -> LocalTone.Sample {
    let side = (2 * base - 1) * (2 * base - 1)
    let gain = pow(3, amount * (1 - side * side))
    return LocalTone.Sample(tone: base, darker: gain, brighter: gain)
  }
}
