/// Stretches the tones so that a small fraction of the pixels becomes black and another one white.
///
/// The black point is the quantile with `blackClip` percent of the tones below it. The white point
/// is the quantile with `100 − whiteClip` percent of the tones below it. `out = (in − black) /
/// (white − black)`. With `rgb` each channel has separate points, which removes colour casts. With
/// `luma` all channels use the black point of the luma and the white point of the brightest channel
/// of each pixel. If the points are less than 0.1 apart, nothing is stretched, because so flat a
/// photo has no content.
public struct AutoLevels: MeasuringFilter {
  public static let name = "autoLevels"
  public static let summary = "Sets the black point and the white point from the photo's tones."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let revision = 2
  public static let settings: [Setting<Self>] = [
    Setting(
      "blackClip", \.blackClip, .number(.percent, 0...20),
      "The share of the pixels that becomes black."),
    Setting(
      "whiteClip", \.whiteClip, .number(.percent, 0...20),
      "The share of the pixels that becomes white."),
    Setting(
      "channels", \.channels, Channels.kind,
      "Whether each channel has its own black and white point."),
    Setting(
      "strength", \.strength, .number(.fraction, 0...1), identity: 0,
      "The strength of the effect; 1 moves the points fully."),
  ]

  public enum Channels: String, Choice {
    case luma, rgb
  }

  public var blackClip = 0.1
  public var whiteClip = 0.1
  public var channels = Channels.luma
  public var strength = 1.0

  public init() {}

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let visible = view.visible
    func line(_ counts: ToneCounts, brightest: ToneCounts? = nil) -> [Curve] {
      Stretch(counts, blackClip / 100, 1 - whiteClip / 100, brightest: brightest)
        .map { [$0.curve(strength)] } ?? []
    }
    switch channels {
    case .luma:
      let brightest = ToneCounts(visible.lazy.map { $0.max() })
      let curve = line(ToneCounts(PhotoView.luma(visible)), brightest: brightest)
      let instruction = PointProgram.Instruction.channels(red: curve, green: curve, blue: curve)
      return graph.append([instruction], in: Self.space, after: input)
    case .rgb:
      let lines = (0..<3).map { c in line(ToneCounts(visible.lazy.map { $0[c] })) }
      let instruction = PointProgram.Instruction.channels(
        red: lines[0], green: lines[1], blue: lines[2])
      return graph.append([instruction], in: Self.space, after: input)
    }
  }
}
