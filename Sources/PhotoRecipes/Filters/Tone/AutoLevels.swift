/// Stretches the tones so that a small fraction of the pixels becomes black and another one white.
///
/// The black point is the quantile with `blackClip` percent of the tones below it. The white point
/// is the quantile with `100 − whiteClip` percent of the tones below it. `out = (in − black) /
/// (white − black)`. If the darkest and the brightest tones are at most 0.1 apart, nothing is
/// stretched, because so flat a photo has no content; up to 0.15, the change fades in.
///
/// - `rgb`: each channel has separate points, which removes colour casts.
/// - `luma`: all channels use the black point of the luma and the white point of the brightest
///   channel of each pixel. In a photo of vivid colours, the black of the luma would make the least
///   channel of many pixels 0: a dark blue sky has hardly any red. Channels therefore become 0 only
///   up to a tone that `blackClip` percent of the pixels reach in a channel; above it, a toe leads to
///   the straight line (see `Stretch`). The middle channel keeps its relative place between the
///   greatest and the least, and thus the hue in HSV.
/// - If many pixels have the tone of a point, as those of an evenly lit wall, the point moves beyond
///   them by a level. They may exceed the percentage by 0.4 % of the pixels or a tenth of it.
public struct AutoLevels: MeasuringFilter {
  public static let name = "autoLevels"
  public static let summary = "Sets the black point and the white point from the photo's tones."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let revision = 4
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
  /// True if a bright photo hardly becomes darker; no setting, but a part of `auto`.
  var keepsBrightness = false

  public init() {}

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let visible = view.visible
    func stretch(
      _ counts: ToneCounts, brightest: ToneCounts? = nil, darkest: ToneCounts? = nil
    ) -> Stretch? {
      Stretch(
        counts, blackClip / 100, 1 - whiteClip / 100, brightest: brightest, darkest: darkest)
    }
    switch channels {
    case .luma:
      let brightest = ToneCounts(visible.lazy.map { $0.max() })
      let darkest = ToneCounts(visible.lazy.map(Self.leastAboveBlack))
      let luma = PhotoView.luma(visible)
      let points = stretch(ToneCounts(luma), brightest: brightest, darkest: darkest)
      guard let points else { return input }
      let mean = luma.reduce(0) { $0 + Double(min(1, max(0, $1))) } / Double(luma.count)
      let moved = points.moved(strength, keeping: keepsBrightness ? mean : nil)
      return graph.append([.tone([moved.curve])], in: Self.space, after: input)
    case .rgb:
      let lines = (0..<3).map { c in
        stretch(ToneCounts(visible.lazy.map { $0[c] })).map { [$0.moved(strength).line] } ?? []
      }
      let instruction = PointProgram.Instruction.channels(
        red: lines[0], green: lines[1], blue: lines[2])
      return graph.append([instruction], in: Self.space, after: input)
    }
  }

  /// The least channel that is not black, or 1 if all are.
  private static func leastAboveBlack(_ pixel: SIMD3<Float>) -> Float {
    let half: Float = 0.5 / 255
    return pixel.replacing(with: 1, where: pixel .<= half).min()
  }
}
