/// Increases or decreases the saturation, mainly of pale colours.
///
/// In OKLab, with chroma `C = √(a² + b²)`, `a` and `b` are multiplied by (1 + g), `g = amount × (1
/// − min(1, 4C))`. An increase (amount above 0) is weaker for hues of skin: g is multiplied by 0.3
/// within 10° of the hue 50°, and by a factor that rises from 0.3 to 1 between 10° and 28°. For an
/// increase, `a` and `b` are then multiplied by (1 + g × (1 − p²) / (1 + g × p²)) instead of (1 +
/// g), with the purity p of the colour as for `saturation`, so that few colours leave the output's
/// colour space.
public struct Vibrance: Filter {
  public static let name = "vibrance"
  public static let summary = "Strengthens or weakens pale colours; keeps strong colours and skin."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let revision = 4
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
