/// The tones that become black and white.
struct Stretch {
  /// The minimum difference between black and white: a flatter photo is not stretched.
  private static let least = 0.1

  let black: Double
  let white: Double

  /// Sets black to the quantile `low` of `counts`, and white to the quantile `high` of `brightest`,
  /// or of `counts` if `brightest` is nil; nil if black and white are too close.
  init?(_ counts: ToneCounts, _ low: Double, _ high: Double, brightest: ToneCounts? = nil) {
    guard let black = counts.quantile(low), let white = (brightest ?? counts).quantile(high),
      white - black >= Self.least
    else { return nil }
    (self.black, self.white) = (black, white)
  }

  /// The linear curve that maps `black` to 0 and `white` to 1; with a `strength` below 1, both
  /// points are moved only by that fraction.
  func curve(_ strength: Double) -> Curve {
    let black = strength * black
    let white = 1 + strength * (white - 1)
    return .linear(slope: 1 / (white - black), offset: -black / (white - black))
  }
}
