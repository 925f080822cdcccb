/// The tones that become black and white.
struct Stretch {
  /// The flattest photo that is stretched has a tenth of the range.
  private static let least = 0.1

  let black: Double
  let white: Double

  /// The quantiles `low` and `high`; nil where there is too little between them.
  init?(_ counts: ToneCounts, _ low: Double, _ high: Double) {
    guard let black = counts.quantile(low), let white = counts.quantile(high),
      white - black >= Self.least
    else { return nil }
    (self.black, self.white) = (black, white)
  }

  /// The line that brings `black` to 0 and `white` to 1, with both moved a part of the way only.
  func curve(_ strength: Double) -> Curve {
    let black = strength * black
    let white = 1 + strength * (white - 1)
    return .linear(slope: 1 / (white - black), offset: -black / (white - black))
  }
}
