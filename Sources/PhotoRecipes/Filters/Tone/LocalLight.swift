import Glibc

/// Brightens or darkens shadows; the contrast within the shadows stays, and so do bright parts
/// beside them.
///
/// The filter applies the gain of the `light` filter to the base B, the luma smoothed except at
/// edges: `L × (1 + 0.9 × amount × (1 − L)³)` with L the cube root of B's linear light.
///
/// Pixels darker than the base, and pixels a little brighter, have the same gain; see `LocalTone`.
public struct LocalLight: LocalToneFilter {
  public static let name = "localLight"
  public static let summary =
    "Brightens or darkens dark areas, and keeps the bright areas beside them."
  public static let category = FilterCategory.tone
  public static let revision = 4
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...2), identity: 0,
      "The strength, like brilliance in Photos but by area; +1 nearly doubles the lightness of"
        + " the deepest shadows."
    )
  ]

  public var amount = 0.0

  public init() {}

  var base: LocalBase { .broad }

  func sample(_ base: Double) -> LocalTone.Sample {
    let lightness = cbrt(Curve.decode(base))
    let shadow = 1 - lightness
    let gain = 1 + 0.9 * amount * shadow * shadow * shadow
    let tone = Curve.encode(pow(gain * lightness, 3))
    // Avoids 0 / 0 at black and at white. Near black the display encoding is a straight line, so
    // the gain of linear light applies.
    let ratio = base > 1e-6 ? tone / base : pow(gain, 3)
    let brighter = tone < 1 - 1e-6 ? ratio * (1 - base) / (1 - tone) : 1
    return LocalTone.Sample(tone: tone, darker: 1, brighter: brighter)
  }
}
