/// The tones that become black and white.
struct Stretch {
  /// The minimum difference between black and white: a flatter photo is not stretched.
  private static let least = 0.1
  /// One level of 8 bits.
  private static let level = 1.0 / 255
  /// The share of the pixels that may become black or white if `part` of them are wanted.
  private static func most(_ part: Double) -> Double { part + max(0.004, part / 10) }

  let black: Double
  let white: Double
  /// The tone up to which a channel becomes 0, at most `black`.
  let end: Double

  /// Sets black to the quantile `low` of `counts`, and white to the quantile `high` of `brightest`,
  /// or of `counts` if `brightest` is nil; nil if black and white are too close.
  ///
  /// `darkest` counts the least channel above 0 of each pixel; if given, channels become 0 only up to
  /// its quantile `low`. If more pixels than wanted would become black or white, because many have
  /// nearly the same tone, the point moves beyond them by a level.
  init?(
    _ counts: ToneCounts, _ low: Double, _ high: Double, brightest: ToneCounts? = nil,
    darkest: ToneCounts? = nil
  ) {
    let brightest = brightest ?? counts
    guard var black = counts.quantile(low), var white = brightest.quantile(high),
      white - black >= Self.least
    else { return nil }
    if low > 0, counts.part(below: black + Self.level / 2) > Self.most(low) {
      black = max(0, black - Self.level)
    }
    if high < 1, 1 - brightest.part(below: white - Self.level / 2) > Self.most(1 - high) {
      white = min(1, white + Self.level)
    }
    (self.black, self.white) = (black, white)
    guard let least = darkest?.quantile(low), least < black else {
      end = black
      return
    }
    // Tones up to two levels above the end are rounded to 0, because the curve rises slowly there.
    end = max(0, least - min(2 * Self.level, black - least))
  }

  /// The linear curve that maps `black` to 0 and `white` to 1; with a `strength` below 1, both
  /// points are moved only by that fraction.
  func line(_ strength: Double) -> Curve {
    let black = strength * black
    let white = 1 + strength * (white - 1)
    return .linear(slope: 1 / (white - black), offset: -black / (white - black))
  }

  /// The `line`, with a toe: where it is below half the distance x from `end`, the result is `x ÷ 4
  /// × (1 + (2 y ÷ x)²)`, with y the line, not below 0.
  func curve(_ strength: Double) -> Curve {
    let line = line(strength)
    let end = strength * end
    if end >= strength * black { return line }
    return .sampled(
      (0...Self.steps).map { step in
        let tone = Double(step) / Double(Self.steps)
        let line = (tone - end + strength * (end - black)) / (1 + strength * (white - 1 - black))
        let over = tone - end
        if over <= 0 { return over / 4 }
        let part = max(0, 2 * line / over)
        return part < 1 ? over / 4 * (1 + part * part) : line
      })
  }

  private static let steps = 2048
}
