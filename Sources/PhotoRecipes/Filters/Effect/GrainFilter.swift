/// Adds grain like the grain of film.
///
/// At `amount` 1 the standard deviation is 0.12 in the midtones; see `Grain`. The noise lattice is
/// rotated, so that no rows or columns are visible. A `size` in percent gives the same look at every
/// size of the photo: pixels that are large beside a grain average it, by the factor
/// `1 / √(1 + 0.65 / s²)` for a grain of s pixels.
public struct GrainFilter: Filter {
  public static let name = "grain"
  public static let summary = "Adds film grain, strongest in the midtones."
  public static let category = FilterCategory.effect
  public static let space = WorkingSpace.encoded
  public static let revision = 2
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, 0...1), identity: 0, "The strength of the grain."),
    Setting(
      "size", \.size, .extent(Grain.sizes),
      "The size of a grain, in pixels at this step, or as a part of the frame."
    ).usually(1...5),
    Setting(
      "seed", \.seed, .integer(.factor, 0...65_535),
      "The random seed; another value gives another pattern of grain."),
  ]

  /// The standard deviation of display-encoded values at `amount` 1.
  static let deviation = 0.12

  public var amount = 0.0
  public var size = Extent.pixels(1.5)
  public var seed = 0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let grain = Grain(amount: amount * Self.deviation, size: size, seed: seed)
    return graph.append([.grain(grain)], in: Self.space, after: input)
  }
}
