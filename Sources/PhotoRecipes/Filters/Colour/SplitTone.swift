/// Tones shadows and highlights, each with a separate colour; lightness does not change, nor do
/// black and white.
///
/// In OKLab, with `s = smoothstep(L + balance / 2)`, `0.15 × (1 − (2L − 1)⁴) × ((1 − s) × shadows +
/// s × highlights)` is added to (a, b). Each colour is a vector in the direction of its hue, and
/// its length is the saturation. L is clamped to 0…1 in the weights.
public struct SplitTone: Filter {
  public static let name = "splitTone"
  public static let summary = "Tones shadows and highlights, each with its own colour."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let settings: [Setting<Self>] = [
    Setting(
      "shadowsHue", \.shadowsHue, .number(.degrees, 0...360),
      "The hue: 0 is red, 60 yellow, 120 green, 240 blue."),
    Setting(
      "shadowsSaturation", \.shadowsSaturation, .number(.fraction, 0...1), identity: 0,
      "How strongly shadows are toned."),
    Setting(
      "highlightsHue", \.highlightsHue, .number(.degrees, 0...360),
      "The hue: 0 is red, 60 yellow, 120 green, 240 blue."),
    Setting(
      "highlightsSaturation", \.highlightsSaturation, .number(.fraction, 0...1), identity: 0,
      "How strongly highlights are toned."),
    Setting(
      "balance", \.balance, .number(.strength, -1...1),
      "The border between the two colours; positive extends the highlights' colour."),
  ]

  public var shadowsHue = 0.0
  public var shadowsSaturation = 0.0
  public var highlightsHue = 0.0
  public var highlightsSaturation = 0.0
  public var balance = 0.0

  public init() {}

  public static var example: Self {
    with {
      $0.shadowsHue = 220
      $0.shadowsSaturation = 0.5
      $0.highlightsHue = 45
      $0.highlightsSaturation = 0.4
    }
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let shadows = shadowsSaturation * ColourWheel.oklabDirection(shadowsHue)
    let highlights = highlightsSaturation * ColourWheel.oklabDirection(highlightsHue)
    let grade = Grade(weights: OKLab.lightness) { lightness in
      let bright = (lightness + balance / 2).smoothstep
      let tone =
        0.15 * Toning.envelope(lightness) * (shadows + bright * (highlights - shadows))
      return Grade.Sample(gain: .init(repeating: 1), offset: .init(0, tone.x, tone.y))
    }
    return graph.append([.colour(.grade(grade))], in: Self.space, after: input)
  }
}
