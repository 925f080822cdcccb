import Foundation

/// Strengthens or softens local contrast: detail up to a thirtieth of the frame, but not edges.
///
/// The odds of detail on the base, which is the luma smoothed up to edges, are multiplied by
/// `3^(amount × m)` with `m = 1 − (2B − 1)⁴` of the base B: full in the middle tones, nothing at
/// black and white; and less the nearer the pixel is to an edge, which gets no seam. See `LocalTone`.
public struct Clarity: LocalToneFilter {
  public static let name = "clarity"
  public static let summary = "Strengthens or softens local contrast."
  public static let category = FilterCategory.detail
  public static let revision = 5
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "Above 0 strengthens local contrast, below 0 softens it.")
  ]

  static let base = LocalBase.broad

  public var amount = 0.0

  public init() {}

  func sample(_ base: Double) -> LocalTone.Sample {
    let side = (2 * base - 1) * (2 * base - 1)
    let gain = pow(3, amount * (1 - side * side))
    return LocalTone.Sample(tone: base, spared: gain)
  }
}
