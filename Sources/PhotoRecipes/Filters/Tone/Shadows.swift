/// Brightens or darkens the dark parts of the photo; bright parts beside them stay.
///
/// The filter multiplies the base B, the luma smoothed except at edges, by `r = 1 + k (1 − B)⁴`
/// with `k = 2.4 × amount` to brighten, `0.8 × amount` to darken. Pixels darker than the base have
/// the same gain, and brighter pixels keep their relative distance to white; see `LocalTone`.
public struct Shadows: LocalToneFilter {
  public static let name = "shadows"
  public static let summary = "Brightens or darkens the dark parts of the photo."
  public static let category = FilterCategory.tone
  public static let revision = 7
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "Above 0 brightens the dark parts, below 0 darkens them.")
  ]

  public var amount = 0.0

  public init() {}

  var base: LocalBase { .broad }

  func sample(_ base: Double) -> LocalTone.Sample {
    let far = (1 - base) * (1 - base) * (1 - base)
    let k = amount > 0 ? 2.4 * amount : 0.8 * amount
    let gain = 1 + k * far * (1 - base)
    // The gain r (1 − B) / (1 − r B), in a form without 0 / 0 at white.
    let brighter = gain / (1 - k * far * base)
    return LocalTone.Sample(tone: gain * base, darker: 1, brighter: brighter)
  }
}
