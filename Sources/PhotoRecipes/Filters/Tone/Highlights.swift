/// Darkens or brightens the bright parts of the photo; dark parts beside them stay.
///
/// - B: the base, which is the luma, smoothed except at edges. Its distance from white is
///   multiplied by q. White stays white.
/// - q: `1 + k B³`, with `k = 1.45 × −amount` to darken and `0.8 × −amount` to brighten.
/// - Detail: multiplied by `√q`, or by less in pixels brighter than the base, so that tones next to
///   white are not spread to more than 2.45 times their distance; see `LocalTone`.
///
/// If earlier steps or the file left light above white, a negative amount brings that light back
/// before the photo is darkened. Let W be the luma that only a thousandth of the pixels may exceed:
/// W becomes `W + amount × (W − 1)` along a shoulder (see `Shoulder`), so an amount of −1 makes W
/// white.
public struct Highlights: LocalToneFilter {
  public static let name = "highlights"
  public static let summary = "Darkens or brightens the bright parts of the photo."
  public static let category = FilterCategory.tone
  public static let revision = 9
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "Below 0 darkens the bright parts and brings back light above white, above 0 brightens them."
    )
  ]

  /// The greatest slope of the tones next to white.
  private static let steepest = 2.45

  public var amount = 0.0

  public init() {}

  var base: LocalBase { .broad }

  func shoulder(from white: Double) -> Shoulder? {
    amount < 0 ? Shoulder(start: white, end: white + amount * (white - 1)) : nil
  }

  func sample(_ base: Double) -> LocalTone.Sample {
    let near = base * base
    let k = amount < 0 ? -1.45 * amount : -0.8 * amount
    let gain = 1 + k * near * base
    let detail = gain.squareRoot()
    // The ratio tone ÷ base, in a form without 0 / 0 at black.
    let ratio = 1 - k * near * (1 - base)
    // The slope at white, for pixels brighter than the base, is gain ÷ brighter.
    return LocalTone.Sample(
      tone: ratio * base, darker: detail / ratio,
      brighter: max(detail / gain, gain / Self.steepest))
  }
}
