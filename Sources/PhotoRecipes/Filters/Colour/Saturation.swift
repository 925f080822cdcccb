/// Increases or decreases the saturation of all colours equally.
///
/// In OKLab, the chroma is multiplied; lightness and hue stay. The factor is `1 + amount` if the
/// amount is below 0, otherwise `1 + amount × (1 − p²) / (1 + amount × p²)`. Colours at the edge of
/// the output's colour space thus keep their shades, and few colours leave this space.
///
/// - p: the purity of the colour, 0 for greys and 1 at the edge of the output's colour space:
///   `max((h − n) / (1 − n), (n − l) / n)`, clamped to 0…1.
/// - h, l: the greatest and the least channel in linear light of that space.
/// - n: `L³`, with the OKLab lightness L.
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
