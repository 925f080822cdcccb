/// Spreads the tones of each part of the photo, but no tone by more than a limit: contrast-limited
/// adaptive histogram equalization.
///
/// The photo is cut into tiles. The luma of each is equalized by a curve of 256 steps, whose slope is
/// at most `clipLimit` + 1: what the histogram has above is spread over all its steps.
/// Between the middles of tiles their curves are interpolated; the colour follows in proportion,
/// and vivid ones are brightened less, as by `LocalTone`. At full strength what is beside a strong edge
/// is darkened or brightened by it over half a tile; most photos want less than half of that.
/// - Source: K. Zuiderveld, "Contrast Limited Adaptive Histogram Equalization", Graphics Gems IV
///   (1994).
public struct Clahe: MeasuringFilter {
  public static let name = "clahe"
  public static let summary = "Spreads the tones of each part of the photo, within a limit."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let revision = 4
  public static let settings: [Setting<Self>] = [
    Setting(
      "tiles", \.tiles, .integer(.pixels, 1...32), "The number of tiles along each edge."),
    Setting(
      "clipLimit", \.clipLimit, .number(.factor, 1...100),
      "The most pixels in a step of the histogram, 1 is an even share; 1 changes little."),
    Setting(
      "strength", \.strength, .number(.fraction, 0...1), identity: 0,
      "The part of the change that is made."),
  ]

  public var tiles = 8
  public var clipLimit = 2.0
  public var strength = 0.4

  public init() {}

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
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
