/// Spreads the tones so that all of them are equally frequent.
///
/// The luma becomes the fraction of all pixels that are darker, by a curve of 256 steps. The colour
/// changes in proportion, and vivid colours are brightened less, as in `LocalTone`.
/// - Source: R. Gonzalez, R. Woods, "Digital Image Processing", 3.3.1 (histogram equalization).
public struct Equalize: MeasuringFilter {
  public static let name = "equalize"
  public static let summary =
    "Equalizes the histogram: spreads the tones until all are equally frequent."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let revision = 4
  public static let settings: [Setting<Self>] = [
    Setting(
      "strength", \.strength, .number(.fraction, 0...1), identity: 0,
      "The fraction of the correction that is applied.")
  ]

  public var strength = 1.0

  public init() {}

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    TileHistograms(view, across: 1, down: 1, clipLimit: nil).append(
      to: &graph, after: input, strength: strength)
  }
}
