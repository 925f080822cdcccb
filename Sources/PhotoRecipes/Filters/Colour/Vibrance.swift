/// Increases or decreases the saturation, mainly of pale colours.
///
/// The OKLab chroma is multiplied by `1 + g` for a decrease (amount below 0), and by `1 + g × (1 −
/// p²) / (1 + g × p²)` for an increase, so that few colours leave the output's colour space.
///
/// - g: the growth `amount × (1 − min(1, 4C))`, with the chroma C. For an increase, it is weaker
///   for hues of skin: it is multiplied by 0.3 within 10° of the hue 50°, and by a factor that
///   rises from 0.3 to 1 between 10° and 28°.
/// - p: the purity of the colour, as for `saturation`.
public struct Vibrance: Filter {
  public static let name = "vibrance"
  public static let summary = "Strengthens pale colours, except those of skin, or weakens them."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let revision = 4
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "+1 doubles the chroma of the palest colours, except those of skin; -1 makes them grey.")
  ]

  public var amount = 0.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.colour(.vibrance(amount))], in: Self.space, after: input)
  }
}
