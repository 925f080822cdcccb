/// Darkens or brightens the bright parts of the photo, and leaves what is dark beside them.
///
/// The distance of the base B, which is the luma smoothed up to edges, from white is multiplied by
/// `q = 1 + k B⁴` with `k = 2 × −amount` for darker, `0.8 × −amount` for brighter; detail is by
/// `√q`; see `LocalTone`. White stays white.
public struct Highlights: LocalToneFilter {
  public static let name = "highlights"
  public static let summary = "Darkens or brightens the bright parts of the photo."
  public static let category = FilterCategory.tone
  public static let revision = 5
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "Below 0 brings back what is too bright, above 0 brightens the bright parts.")
  ]

  public var amount = 0.0

  public init() {}

  var base: LocalBase { .broad }

  func sample(_ base: Double) -> LocalTone.Sample {
    let near = base * base * base
    let k = amount < 0 ? -2 * amount : -0.8 * amount
    let gain = 1 + k * near * base
    let detail = gain.squareRoot()
    // tone ÷ base, without 0 / 0 at black.
    let ratio = 1 - k * near * (1 - base)
    return LocalTone.Sample(tone: ratio * base, darker: detail / ratio, brighter: detail / gain)
  }
}
