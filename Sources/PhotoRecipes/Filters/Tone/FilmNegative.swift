import Foundation

/// Makes a positive of the scan, or the photo, of a film negative.
///
/// In linear light each channel becomes `(in / white)^−p`: `white` is where the film is densest, which
/// `whiteClip` percent of its pixels are below, and p brings the film's base, which `baseClip` percent
/// are above, to `2^−range`. So the mask of colour film goes, and greys are grey at both ends. A
/// channel whose base is less than half a stop above its densest place has no picture, and stays.
/// Crop what is not film, as a holder or a scanner's lamp, off before.
/// - Source: C. E. K. Mees, T. H. James, "The Theory of the Photographic Process", 1966: density rises
///   in proportion to the logarithm of exposure, by a slope of its own for each layer.
public struct FilmNegative: MeasuringFilter {
  public static let name = "negative"
  public static let summary = "Makes a positive of the scan of a film negative."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.linear
  public static let settings: [Setting<Self>] = [
    Setting(
      "range", \.range, .number(.stops, 3...14),
      "From black to white in the positive; more is more contrast."),
    Setting(
      "baseClip", \.baseClip, .number(.percent, 0...20), "The part of the film made black."),
    Setting(
      "whiteClip", \.whiteClip, .number(.percent, 0...20), "The part of the film made white."),
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

  /// Denser film than the densest that was seen gets no brighter than this.
  private static let brightest = 4.0

  /// The curve of one channel; empty if the channel has no picture.
  private func curve(_ counts: ToneCounts) -> [Curve] {
    guard let dark = counts.quantile(whiteClip / 100),
      let bright = counts.quantile(1 - baseClip / 100)
    else { return [] }
    let (white, base) = (max(Curve.decode(dark), 1e-4), Curve.decode(bright))
    let stops = log2(base / white)
    guard stops >= 0.5 else { return [] }
    let power = range / stops
    return [
      .parametric(
        g: -power, a: 1 / white, b: 0, c: 0, d: white * pow(Self.brightest, -1 / power), e: 0,
        f: Self.brightest)
    ]
  }
}
