import Glibc

/// Changes the exposure so that the photo's average is middle grey, as far as highlights allow.
///
/// The wanted change is `log2(target / average)` stops of linear light, limited to `limit`. The
/// average is a mean of logarithms: `exp(mean(ln(0.0001 + Y)))` of the luminance Y. The headroom is
/// the change that makes the brightest 0.5 % of the pixels white, by their brightest channel. If
/// the headroom exceeds the wanted change, half of the excess is added, because the sky of an
/// underexposed photo can be as bright as middle grey. If the wanted change exceeds the headroom,
/// only a quarter of the excess is applied: night stays night, and highlights roll off instead of
/// being clipped; see `Rolloff`. In the blue light of twilight, only a quarter of the brightening
/// is applied; see `EdgeLight`.
///
/// The gain g of a photo that is darkened is at least 0.8 divided by the light of its highlights,
/// and white stays white: the linear light x of the greatest and of the least channel becomes
/// `g x ÷ (1 − (1 − g) x)`, and the middle channel keeps its relative place between them. In outputs
/// for HDR displays, all light is multiplied by the gain, and nothing is rolled off.
/// - Source: E. Reinhard et al., "Photographic Tone Reproduction for Digital Images", SIGGRAPH
///   2002, equations 1 and 2, with a key of 0.18.
public struct AutoExposure: MeasuringFilter {
  public static let name = "autoExposure"
  public static let summary = "Exposes the photo for a middle grey, and protects highlights."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.linear
  public static let revision = 4
  public static let settings: [Setting<Self>] = [
    Setting(
      "target", \.target, .number(.fraction, 0.02...0.7),
      "The target for the average luminance; photos without bright parts become brighter."),
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
    let visible = view.visible
    guard let average = visible.lightLogAverage, let brightest = Self.brightest(visible) else {
      return input
    }
    let allowed = allowed(log2(target / average), brightest)
    let twilight = allowed > 0 ? EdgeLight.twilight(in: view) : 0
    let gain = exp2(strength * allowed * (1 - (1 - Self.partAtTwilight) * twilight))
    if gain < 1 && !view.isHDR {
      return graph.append([.tone([Self.darkening(gain)])], in: .encoded, after: input)
    }
    let exposed = graph.append(
      [.matrix(.diagonal(.init(repeating: gain)))], in: Self.space, after: input)
    if gain * brightest <= 1 || view.isHDR { return exposed }
    return graph.append(.program(PointProgram([.colour(.rolloff(Rolloff(peak: gain)))])), exposed)
  }

  /// The fraction of the pixels that may become brighter than white.
  private static let brighterPart = 0.005
  /// The linear light that highlights keep at least if the photo is darkened, as a fraction of
  /// white's.
  private static let leastWhite = 0.8
  /// The fraction of the headroom beyond the wanted change that is added to it.
  private static let partOfUnused = 0.5
  /// The fraction of the change beyond the headroom that is applied.
  private static let partBeyond = 0.25
  /// The fraction of the brightening that is applied at twilight.
  private static let partAtTwilight = 0.25

  /// The curve of display-encoded values that multiplies dark light by `gain` and keeps white.
  private static func darkening(_ gain: Double) -> Curve {
    let steps = 1024
    return .sampled(
      (0...steps).map { step in
        let light = Curve.decode(Double(step) / Double(steps))
        return Curve.encode(gain * light / (1 - (1 - gain) * light))
      })
  }

  /// The linear light that only the fraction `brighterPart` of the pixels exceeds, each measured by
  /// its brightest channel; nil if there are no pixels.
  private static func brightest(_ pixels: [SIMD3<Float>]) -> Double? {
    let decode = Curve.decode
    return ToneCounts(pixels.lazy.map { $0.max() }).quantile(1 - brighterPart).map { decode($0) }
  }

  /// The change, in stops, that is applied instead of `wanted`; see the type.
  ///
  /// `brightest` is the linear light of the highlights.
  private func allowed(_ wanted: Double, _ brightest: Double) -> Double {
    let light = max(brightest, 1e-4)
    let headroom = max(0, -log2(light))
    let unused = max(0, headroom - max(0, wanted))
    let change = min(limit, max(-limit, wanted + Self.partOfUnused * unused))
    if change < 0 { return max(change, min(0, log2(Self.leastWhite / light))) }
    return min(change, headroom) + Self.partBeyond * max(0, change - headroom)
  }
}
