/// A curve of the luma that compresses bright tones, so that light above white keeps its detail.
///
/// Tones up to the knee `k = ½` do not change. With `t = Y − k`, brighter tones become `k + t / (1
/// + c t)`; c is chosen so that the tone `start` becomes `end`. The slope is 1 at the knee and
/// decreases from there. Colours change in proportion to the luma, so hue and saturation do not
/// change.
struct Shoulder: Sendable, Hashable {
  private static let knee = 0.5
  /// The number of steps of the table of gains; consecutive steps are at most 0.001 of the
  /// display-encoded luma apart.
  private static let steps = 4096

  /// The luma that becomes `end`; it is greater than `end`.
  let start: Double
  let end: Double

  /// Applies the curve to a luma.
  func callAsFunction(_ tone: Double) -> Double {
    let above = tone - Self.knee
    if above <= 0 { return tone }
    let bend = 1 / (end - Self.knee) - 1 / (start - Self.knee)
    return Self.knee + above / (1 + bend * above)
  }

  /// The curve as gains of R, G and B that depend on the luma; colours brighter than `start` get
  /// the gain of `start`.
  var grade: Grade {
    Grade(weights: Grade.luma / start, count: Self.steps) { part in
      let tone = part * start
      let gain = tone > 0 ? self(tone) / tone : 1
      return Grade.Sample(gain: .init(repeating: gain), offset: .zero)
    }
  }
}
