/// Equalizes the tones of each part of the photo up to a limit: contrast-limited adaptive histogram
/// equalization.
///
/// The photo is divided into tiles. A curve of 256 steps equalizes the luma of each tile; its slope
/// is at most `clipLimit` + 1, and the clipped part of the histogram is spread over all steps.
/// Between the centres of tiles the curves are interpolated. The colour changes in proportion, and
/// vivid colours are brightened less, as in `LocalTone`. At full strength a strong edge darkens or
/// brightens its surroundings over half a tile; most photos need less than half of full strength.
/// - Source: K. Zuiderveld, "Contrast Limited Adaptive Histogram Equalization", Graphics Gems IV
///   (1994).
public struct Clahe: PlacesFilter {
  public static let name = "clahe"
  public static let summary =
    "Increases the local contrast by adaptive histogram equalization with a limit."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let revision = 5
  public static let settings: [Setting<Self>] = [
    Setting(
      "tiles", \.tiles, .integer(.factor, 1...32), "The number of tiles along each edge."),
    Setting(
      "clipLimit", \.clipLimit, .number(.factor, 1...100),
      "The maximum height of a step of the histogram, as a multiple of the mean; 1 changes"
        + " little."
    ).usually(1...8),
    Setting(
      "strength", \.strength, .number(.fraction, 0...1), identity: 0,
      "The fraction of the correction that is applied."),
  ]

  public var tiles = 8
  public var clipLimit = 2.0
  public var strength = 0.4

  public init() {}

  /// The filter has no values for the whole photo.
  struct NoValues: Sendable, Hashable {}

  func values(of view: PhotoView) -> NoValues { NoValues() }

  func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView, _ values: NoValues
  ) -> Graph.ID {
    TileHistograms(view, across: tiles, down: tiles, clipLimit: clipLimit).append(
      to: &graph, after: input, strength: strength)
  }
}

extension TileHistograms {
  /// Appends the curves, each mixed with the identity by `strength`.
  func append(to graph: inout Graph, after input: Graph.ID, strength: Double) -> Graph.ID {
    let map = graph.append(.map(.values(map(strength))))
    let program = Operation.program(PointProgram([.tiles(TileCurves())]))
    return graph.append(Graph.Node(operation: program, inputs: [input, map]))
  }
}
