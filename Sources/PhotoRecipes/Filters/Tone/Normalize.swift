/// Stretches the photo's values to the full range from black to white, with the same change for all
/// channels.
///
/// `out = (in − least) / (greatest − least)`, with the least and the greatest value of any channel.
/// If they are at most 0.1 apart, the photo does not change, because so flat a photo has no content;
/// up to 0.15, the change fades in.
public struct Normalize: MeasuringFilter {
  public static let name = "normalize"
  public static let summary = "Stretches the photo's tones to the full range from black to white."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let revision = 2
  public static let settings: [Setting<Self>] = [
    Setting(
      "strength", \.strength, .number(.fraction, 0...1), identity: 0,
      "The strength of the effect; 1 stretches the tones fully.")
  ]

  public var strength = 1.0

  public init() {}

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let values = view.visible.lazy.flatMap { [$0.x, $0.y, $0.z] }
    guard let stretch = Stretch(ToneCounts(values), 0, 1) else { return input }
    return graph.append([.curve(stretch.moved(strength).line)], in: Self.space, after: input)
  }
}
