/// Estimates the colour of the light in the photo and corrects it.
///
/// By default (`edges`), the colour of the light is estimated from the photo's edges; see
/// `EdgeLight`. Otherwise it is the most frequent colour of the pixels that may be grey
/// (`greyWorld`), or of the brightest tenth of them (`whitePatch`); see `SceneLight`. Vivid, dark
/// and clipped pixels are then ignored. The correction is weaker if the colour may belong to an
/// object, such as a meadow, a sky or a vivid flower, and not to the light.
///
/// The colours are adapted to D65 by Bradford's cone responses in linear light; this step keeps the
/// luminance of white. Clipped white stays white; see `LightAdaptation`.
/// - Source: G. Buchsbaum, "A spatial processor model for object colour perception", J. Franklin
///   Inst. 310 (1980); E. Land, J. McCann, "Lightness and Retinex Theory", JOSA 61 (1971).
public struct AutoWhiteBalance: MeasuringFilter {
  public static let name = "autoWhiteBalance"
  public static let summary = "Finds the colour of the light in the photo, and corrects for it."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.linear
  public static let revision = 8
  public static let settings: [Setting<Self>] = [
    Setting("method", \.method, Method.kind, "The method that finds the colour of the light."),
    Setting(
      "strength", \.strength, .number(.fraction, 0...1), identity: 0,
      "The strength of the correction; 1 corrects fully, less if the colour of the light is"
        + " uncertain."
    ),
  ]

  public enum Method: String, Choice {
    case edges, greyWorld, whitePatch
  }

  /// The shift in (u, v) below which no difference is visible.
  private static let leastCast = 1e-4

  public var method = Method.edges
  public var strength = 1.0

  public init() {}

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    guard let cast = cast(of: view) else { return input }
    let found = UniformChromaticity.neutral + strength * cast
    let adapted = Bradford.adaptation(
      from: UniformChromaticity.xyz(found), to: Primaries.xyz(Primaries.d65))
    let matrix = SRGB.rgbFromXYZ.after(adapted).after(SRGB.xyzFromRGB)
    return graph.append(
      [.colour(.adapt(LightAdaptation(matrix: matrix)))], in: Self.space, after: input)
  }

  /// The shift of the light's colour from grey in CIE 1960 (u, v), reduced by the confidence of the
  /// estimate; nil if it is not visible, or if the colour of the light cannot be estimated from the
  /// photo.
  private func cast(of view: PhotoView) -> SIMD2<Double>? {
    let neutral = UniformChromaticity.neutral
    let found: SIMD2<Double>?
    if method == .edges {
      found = EdgeLight(view).map { $0.confidence * ($0.chromaticity - neutral) }
    } else {
      let counts = ChromaticityCounts(view.visible)
      found = SceneLight(counts, brightest: method == .whitePatch ? 0.1 : nil)
        .map { $0.confidence * ($0.chromaticity - neutral) }
    }
    // The light of a photo without colours is not exactly neutral, because numbers are rounded.
    guard let found, (found * found).sum().squareRoot() >= Self.leastCast else { return nil }
    return found
  }
}
