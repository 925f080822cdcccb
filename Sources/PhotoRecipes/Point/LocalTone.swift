/// A change of a photo's base, which is its luma smoothed up to edges, and of the detail on it.
///
/// With Y the luma, 0…1, `base = a Y + b` from a map of a and b; then below the base
/// `Y' = tone × Y / (Y + darker × (base − Y))`, and above it
/// `1 − Y' = (1 − tone) × (1 − Y) / (1 − Y + brighter × (Y − base))`: detail keeps its order, and
/// stays between black and white. The colour follows the luma in proportion. Where it is brightened,
/// vivid colours follow less, so that they keep their shades: with the greatest channel m, what it
/// would rise by, d, and `r = 1 − m` the change is × `1 − (1 − (Y / m)³) d / (d + r)`. What would still
/// be clipped keeps its hue and gets paler.
public struct LocalTone: Sendable, Hashable {
  /// The new tone for a tone of the base.
  public struct Sample: Sendable, Hashable {
    public var tone: Double
    /// The gain of the odds of darker detail, on the way from the base to black.
    public var darker: Double
    /// The gain of the odds of brighter detail, on the way from the base to white.
    public var brighter: Double

    public init(tone: Double, darker: Double = 1, brighter: Double = 1) {
      self.tone = tone
      self.darker = darker
      self.brighter = brighter
    }
  }

  static let steps = 512

  /// Which base it is.
  public let base: LocalBase
  /// The image of the program with the bands a and b.
  public var map = 0
  public var placement = Placement.whole
  /// At even steps of the base over 0…1, joined by straight lines.
  public private(set) var samples: [Sample]

  public init(_ base: LocalBase, _ sample: (Double) -> Sample) {
    self.base = base
    samples = (0...Self.steps).map { sample(Double($0) / Double(Self.steps)) }
  }

  public subscript(base: Double) -> Sample {
    let position = min(1, max(0, base)) * Double(Self.steps)
    let index = min(Int(position), Self.steps - 1)
    let part = position - Double(index)
    let (a, b) = (samples[index], samples[index + 1])
    return Sample(
      tone: a.tone + part * (b.tone - a.tone), darker: a.darker + part * (b.darker - a.darker),
      brighter: a.brighter + part * (b.brighter - a.brighter))
  }

  /// The one change that does what `self` and then `next` do on the same base; nil for another one.
  func followed(by next: LocalTone) -> LocalTone? {
    guard (map, base, placement) == (next.map, next.base, next.placement) else { return nil }
    var both = self
    both.samples = samples.map { first in
      let second = next[first.tone]
      return Sample(
        tone: second.tone, darker: first.darker * second.darker,
        brighter: first.brighter * second.brighter)
    }
    return both
  }
}

extension LocalTone: CustomStringConvertible {
  public var description: String {
    let tones = [0.1, 0.25, 0.5, 0.75, 0.9].map { tone in
      "\(tone.short) → \(self[tone].tone.short) ×\(self[tone].darker.short)"
    }
    return "\(base) by image \(map): \(tones.joined(separator: ", "))\(placement)"
  }
}
