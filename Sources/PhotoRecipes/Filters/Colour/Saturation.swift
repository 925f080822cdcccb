/// Strengthens or weakens all colours alike.
///
/// In OKLab, `a` and `b` × (1 + amount); lightness and hue stay.
public struct Saturation: Filter {
  public static let name = "saturation"
  public static let summary = "Strengthens or weakens all colours alike."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "−1 leaves grey, +1 doubles the chroma.")
  ]

  public var amount = 0.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let scale = ColourMatrix.diagonal(.init(1, 1 + amount, 1 + amount))
    return graph.append([.matrix(scale)], in: Self.space, after: input)
  }
}
