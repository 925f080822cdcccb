/// Inverts bright tones, like a flash of light on a print during development.
///
/// `out = min(in / threshold, (1 − in) / (1 − threshold))` of values clamped to 0…1: tones rise to
/// white at the threshold and fall to black above it.
public struct Solarize: Filter {
  public static let name = "solarize"
  public static let summary = "Inverts tones above a threshold."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "threshold", \.threshold, .number(.fraction, 0.01...1), identity: 1,
      "The tone that becomes white; brighter tones become dark.")
  ]

  public var threshold = 0.5

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    // Avoids a division by 0; at threshold 1 the filter is the identity and is not rendered.
    let rest = max(1 - threshold, 1e-6)
    return graph.append(
      [
        .curve(.linear(slope: 1 / threshold, offset: 0)), .save,
        .curve(.linear(slope: -threshold / rest, offset: 1 / rest)), .blend(.darken),
        .mix(opacity: 1, isMasked: false),
      ], in: Self.space, after: input)
  }
}
