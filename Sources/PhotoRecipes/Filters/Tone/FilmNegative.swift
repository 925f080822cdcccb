import Glibc

/// Converts the scan, or the photo, of a film negative to a positive.
///
/// In linear light each channel becomes `(in / white)^−p`. `white` is the value of the densest
/// film: `whiteClip` percent of the pixels are below it. The exponent p maps the film's base, with
/// `baseClip` percent of the pixels above it, to `2^−range`. This removes the orange mask of colour
/// film and makes greys neutral at both ends. A channel with a base less than half a stop above its
/// densest value contains no picture and stays unchanged. Crop everything that is not film, such as
/// a holder or a scanner's lamp, before this filter.
/// - Source: C. E. K. Mees, T. H. James, "The Theory of the Photographic Process", 1966: density
///   rises in proportion to the logarithm of exposure, by a slope of its own for each layer.
public struct FilmNegative: MeasuringFilter {
  public static let name = "negative"
  public static let summary = "Turns the scan of a film negative into a positive."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.linear
  public static let revision = 2
  public static let settings: [Setting<Self>] = [
    Setting(
      "range", \.range, .number(.stops, 3...14),
      "The brightness range of the positive, from black to white; higher gives more contrast."),
    Setting(
      "baseClip", \.baseClip, .number(.percent, 0...20),
      "The share of the film's pixels that becomes black."),
    Setting(
      "whiteClip", \.whiteClip, .number(.percent, 0...20),
      "The share of the film's pixels that becomes white."),
  ]

  public var range = 8.0
  public var baseClip = 0.1
  public var whiteClip = 0.1

  public init() {}

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let visible = view.visible
    let curves = (0..<3).map { c in curve(ToneCounts(visible.lazy.map { $0[c] })) }
    let instruction = PointProgram.Instruction.channels(
      red: curves[0], green: curves[1], blue: curves[2])
    return graph.append([instruction], in: Self.space, after: input)
  }

  /// The greatest value of the positive, for film that is denser than the densest measured film.
  private static let brightest = 4.0

  /// The curve of one channel; an empty list if the channel contains no picture.
  private func curve(_ counts: ToneCounts) -> [Curve] {
    guard let dark = counts.quantile(whiteClip / 100),
      let bright = counts.quantile(1 - baseClip / 100)
    else { return [] }
    let (white, base) = (max(Curve.decode(dark), 1e-4), Curve.decode(bright))
    let stops = log2(base / white)
    guard stops >= 0.5 else { return [] }
    let power = range / stops
    // Light below 0 is treated as 0.
    return [
      .nonNegative,
      .parametric(
        g: -power, a: 1 / white, b: 0, c: 0, d: white * pow(Self.brightest, -1 / power), e: 0,
        f: Self.brightest),
    ]
  }
}
