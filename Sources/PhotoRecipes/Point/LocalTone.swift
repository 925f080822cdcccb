/// Changes a photo's base (its luma, smoothed except at edges) and the detail on the base.
///
/// A map holds the base as curves of the luma Y, 0…1. The luma becomes Y':
///
/// - Below the base, `Y' = tone × Y / (Y + darker × (base − Y))`.
/// - Above the base, `1 − Y' = (1 − tone) × (1 − Y) / (1 − Y + brighter × (Y − base))`.
///
/// Tones of detail thus keep their order, and stay between black and white. The colour changes in
/// proportion to the luma. Vivid colours are brightened less, which keeps their shades: the change
/// is multiplied by `1 − (1 − (Y / m)³) d / (d + r)`, with the greatest channel m, its increase d,
/// and `r = 1 − m`. A colour that would still be clipped keeps its hue and becomes paler.
public struct LocalTone: Sendable, Hashable {
  /// The change for a tone of the base: the new tone, and the gains of the detail.
  public struct Sample: Sendable, Hashable {
    public var tone: Double
    /// The factor by which (base − Y) / Y is multiplied for a luma Y below the base; above 1,
    /// detail becomes stronger.
    public var darker: Double
    /// The factor by which (Y − base) / (1 − Y) is multiplied for a luma Y above the base; above 1,
    /// detail becomes stronger.
    public var brighter: Double

    public init(tone: Double, darker: Double = 1, brighter: Double = 1) {
      self.tone = tone
      self.darker = darker
      self.brighter = brighter
    }
  }

  static let steps = 512

  /// The kind of base.
  public let base: LocalBase
  /// The index, among the images that the point program reads, of the map with the curves.
  public var map = 0
  public var placement = Placement.whole
  /// The changes at even steps of the base over 0…1, interpolated linearly.
  public private(set) var samples: [Sample]
  /// The luma of the brightest light in the photo from which the base was measured, at least 1.
  ///
  /// This luma determines whether a later filter may use the same base.
  let white: Double

  public init(_ base: LocalBase, white: Double = 1, _ sample: (Double) -> Sample) {
    self.base = base
    self.white = white
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

  /// A single change equal to `self` followed by `next` on the same base; nil if the bases differ.
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
