import Foundation

/// Strengthens or softens local contrast: detail up to a thirtieth of the frame, but not edges.
///
/// The odds of detail on the base, which is the luma smoothed up to edges and to noise, are multiplied
/// by `3^(amount × m)` with `m = 1 − (2B − 1)⁴` of the base B: full in the middle tones, nothing at
/// black and white. Lone edges get no seam, and noise of a smooth sky is not strengthened; it is
/// softened with the rest. See `LocalTone` and `LocalBase`.
public struct Clarity: LocalToneFilter {
  public static let name = "clarity"
  public static let summary = "Strengthens or softens local contrast."
  public static let category = FilterCategory.detail
  public static let revision = 6
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
