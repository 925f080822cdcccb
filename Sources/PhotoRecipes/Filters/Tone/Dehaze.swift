/// Removes or adds haze, more where the haze is denser.
///
/// The distance between the luma of a pixel and the luma of the air is multiplied by `1 / max(1 −
/// 0.85 × a × h, 0.4)`. Hues stay, greys stay grey, and no colour is clipped; see `HazeRemoval`. a is
/// the amount; above 0.7, a rises only half as fast, because even gradients of skies and walls would
/// show borders where the estimated haze ends. An amount below 0 mixes the colours with the air's
/// light.
///
/// The haze h, 0…1, is estimated by the dark channel; see `DarkChannel`. Two kinds of objects get
/// less:
///
/// - Areas with more than 0.7 of the air's light can be haze or white objects. Above 0.7, h
///   therefore falls to 0.2, so that clouds, snow and white clothes stay white.
/// - Pale objects in warm light have a tenth of h, so that paper in the sun does not become brown.
public struct Dehaze: PlacesFilter {
  public static let name = "dehaze"
  public static let summary = "Removes or adds haze."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let revision = 9
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "Above 0 removes haze, below 0 adds haze.")
  ]

  public var amount = 0.0

  public init() {}

  private var bounded: Double { amount > 0.7 ? 0.7 + (amount - 0.7) / 2 : amount }

  /// The colour of the air's light.
  func values(of view: PhotoView) -> ColourMatrix.Vector { DarkChannel.air(in: view) }

  func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView,
    _ air: ColourMatrix.Vector
  ) -> Graph.ID {
    let haze = DarkChannel(view, air: air)
    let removal = HazeRemoval(
      air: haze.air, strength: 0.85 * bounded, floor: 0.4, richness: 1)
    let map = graph.append(.map(.values(haze.map)))
    let program = Operation.program(PointProgram([.dehaze(removal)]))
    return graph.append(Graph.Node(operation: program, inputs: [input, map]))
  }
}
