/// The tones that become black and white.
struct Stretch {
  /// The difference between the darkest and the brightest tones up to which a photo is not stretched,
  /// and the difference from which it is stretched fully.
  private static let range = 0.1...0.15
  /// One level of 8 bits.
  private static let level = 1.0 / 255
  /// The share of the pixels that may become black or white if `part` of them are wanted.
  private static func most(_ part: Double) -> Double { part + max(0.004, part / 10) }

  private(set) var black: Double
  private(set) var white: Double
  /// The tone up to which a channel becomes 0, at most `black`.
  private(set) var end: Double
  /// The part of the way to black and white by which tones are moved, because the photo is flat.
  private let part: Double

  /// Sets black to the quantile `low` of `counts`, and white to the quantile `high` of `brightest`,
  /// or of `counts` if `brightest` is nil; nil if the tones of either are too close.
  ///
  /// `darkest` counts the least channel above 0 of each pixel; if given, channels become 0 only up to
  /// its quantile `low`. If more pixels than wanted would become black or white, because many have
  /// nearly the same tone, the point moves beyond them by a level.
  init?(
    _ counts: ToneCounts, _ low: Double, _ high: Double, brightest: ToneCounts? = nil,
    darkest: ToneCounts? = nil
  ) {
    let both = [counts, brightest ?? counts]
    let ranges = both.compactMap { tones -> ClosedRange<Double>? in
      guard let least = tones.quantile(low), let most = tones.quantile(high), least <= most else {
        return nil
      }
      return least...most
    }
    guard ranges.count == both.count else { return nil }
    let spread = ranges.map { $0.upperBound - $0.lowerBound }.min() ?? 0
    let part = (spread - Self.range.lowerBound) / (Self.range.upperBound - Self.range.lowerBound)
    if part <= 0 { return nil }
    self.part = min(1, part)
    var (black, white) = (ranges[0].lowerBound, ranges[1].upperBound)
    if low > 0, counts.part(below: black + Self.level / 2) > Self.most(low) {
      black = max(0, black - Self.level)
    }
    if high < 1, 1 - both[1].part(below: white - Self.level / 2) > Self.most(1 - high) {
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

  /// The points moved from 0 and 1 only by a fraction of the way, `strength`.
  ///
  /// If `mean` is given, black is limited so that a photo with this mean tone does not become much
  /// darker; see `mostFall`.
  func moved(_ strength: Double, keeping mean: Double? = nil) -> Stretch {
    var moved = self
    moved.white = 1 + part * strength * (white - 1)
    moved.black = part * strength * black
    if let mean {
      // The mean becomes (mean − black) ÷ (white − black).
      let least = mean - Self.mostFall(of: mean)
      moved.black = min(moved.black, (mean - least * moved.white) / (1 - least))
    }
    moved.end = end < black ? end * moved.black / black : moved.black
    return moved
  }

  /// The most by which a photo's mean tone may fall.
  ///
  /// It is 0.08 up to a mean of 0.35, and from there decreases evenly to 0.012 at a mean of 0.7,
  /// because snow, fog and paper are bright.
  private static func mostFall(of mean: Double) -> Double {
    let bright = min(1, max(0, (mean - 0.35) / 0.35))
    return 0.08 - 0.068 * bright
  }

  /// The linear curve that maps `black` to 0 and `white` to 1.
  var line: Curve {
    .linear(slope: 1 / (white - black), offset: -black / (white - black))
  }

  /// The `line`, with a toe: where it is below half the distance x from `end`, the result is `x ÷ 4
  /// × (1 + (2 y ÷ x)²)`, with y the line, not below 0.
  var curve: Curve {
    if end >= black { return line }
    return .sampled(
      (0...Self.steps).map { step in
        let tone = Double(step) / Double(Self.steps)
        let line = (tone - black) / (white - black)
        let over = tone - end
        if over <= 0 { return over / 4 }
        let part = max(0, 2 * line / over)
        return part < 1 ? over / 4 * (1 + part * part) : line
      })
  }

  private static let steps = 2048
}
