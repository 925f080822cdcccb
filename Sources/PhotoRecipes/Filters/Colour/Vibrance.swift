/// Increases or decreases the saturation, mainly of pale colours.
///
/// In OKLab, with chroma `C = √(a² + b²)`, `a` and `b` are multiplied by (1 + g), `g = amount × (1
/// − min(1, 4C))`. If amount is above 0, g is 0.3 times that for hues of skin, within 10° of 50°, and
/// between 0.3 and 1 times within 28°; the factor is (1 + g × (1 − p²) / (1 + g × p²)) with the purity
/// p of the colour, as for `saturation`: no colour is clipped.
public struct Vibrance: Filter {
  public static let name = "vibrance"
  public static let summary = "Strengthens or weakens pale colours; keeps strong colours and skin."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let revision = 3
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "+1 doubles the chroma of the palest colours, except those of skin.")
  ]

  public var amount = 0.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.colour(.vibrance(amount))], in: Self.space, after: input)
  }
}
