import Glibc

/// Changes the exposure so that the photo's average is middle grey.
///
/// `out = in × (target / average)^strength` in linear light, limited to `limit` stops up or down.
/// The average is a mean of logarithms: `exp(mean(ln(0.0001 + Y)))` of the luminance Y.
/// - Source: E. Reinhard et al., "Photographic Tone Reproduction for Digital Images", SIGGRAPH
///   2002, equations 1 and 2, with a key of 0.18.
public struct AutoExposure: MeasuringFilter {
  public static let name = "autoExposure"
  public static let summary = "Exposes the photo so that its average is middle grey."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] = [
    Setting(
      "target", \.target, .number(.fraction, 0.02...0.7), "The target for the average luminance."),
    Setting(
      "limit", \.limit, .number(.stops, 0...6), "The maximum change, brighter or darker."
    ),
    Setting(
      "strength", \.strength, .number(.fraction, 0...1), identity: 0,
      "The fraction of the correction that is applied."),
  ]

  public var target = 0.18
  public var limit = 2.0
  public var strength = 1.0

  public init() {}

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    guard let average = view.visible.lightLogAverage else { return input }
    let stops = strength * min(limit, max(-limit, log2(target / average)))
    let gain = exp2(stops)
    return graph.append(
      [.matrix(.diagonal(.init(gain, gain, gain)))], in: Self.space, after: input)
  }
}
