/// Increases or decreases the saturation of all colours equally.
///
/// In OKLab, `a` and `b` are multiplied by (1 + amount); lightness and hue stay. If amount is above
/// 0, they are multiplied by (1 + amount × (1 − p²) / (1 + amount × p²)), where p is the purity of
/// the colour: 0 for greys, 1 at the edge of the output's colour space. Colours at the edge thus
/// keep their shades, and few colours leave the space. With h and l the greatest and the least
/// channel in linear light of that space, and `n = L³`, `p = max((h − n) / (1 − n), (n − l) / n)`,
/// clamped to 0…1.
public struct Saturation: Filter {
  public static let name = "saturation"
  public static let summary = "Strengthens or weakens all colours equally."
  public static let category = FilterCategory.colour
  public static let space = WorkingSpace.oklab
  public static let revision = 3
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "−1 makes the photo grey, +1 doubles the chroma of pale colours.")
  ]

  public var amount = 0.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let scale = ColourMatrix.diagonal(.init(1, 1 + amount, 1 + amount))
    let change = amount > 0 ? PointProgram.Instruction.colour(.saturate(amount)) : .matrix(scale)
    return graph.append([change], in: Self.space, after: input)
  }
}
