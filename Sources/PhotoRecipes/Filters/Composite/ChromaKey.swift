/// Makes areas of one colour transparent, for example a green screen or a studio's backdrop.
///
/// The removed area gets the colour `background`, or becomes transparent in a format with alpha.
/// See `ColourKey`.
public struct ChromaKey: Filter {
  public static let name = "chromaKey"
  public static let summary = "Makes a colour, such as that of a green screen, transparent."
  public static let category = FilterCategory.composite
  public static let space = WorkingSpace.oklab
  public static let settings: [Setting<Self>] = [
    Setting("colour", \.colour, .colour, "The colour of the screen."),
    Setting(
      "tolerance", \.tolerance, .number(.fraction, 0...1),
      "The distance from the screen's colour, in OKLab, up to which colours are transparent."),
    Setting(
      "softness", \.softness, .number(.fraction, 0...1),
      "The additional distance at which colours are opaque."),
    Setting(
      "lightness", \.lightness, .number(.fraction, 0...1),
      "The weight of lightness in the distance; low for a screen with shadows, 1 for a grey screen."
    ),
    Setting(
      "spill", \.spill, .number(.fraction, 0...1),
      "How strongly the screen's reflected colour is removed from the subject."),
  ]

  public var colour = Colour(red: 0, green: 177, blue: 64)
  public var tolerance = 0.1
  public var softness = 0.1
  public var lightness = 0.3
  public var spill = 0.5

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let key = ColourKey(
      colour, lightness: lightness, tolerance: tolerance, softness: softness, spill: spill)
    return graph.append([.key(key)], in: Self.space, after: input)
  }
}
