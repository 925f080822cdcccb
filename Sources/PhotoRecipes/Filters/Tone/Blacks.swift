/// Moves the black point; brighter tones move less, and white stays.
///
/// With `d = 1 − in`, `out = 1 − d / √(1 + amount × d² / 2)`, a straight line outside 0…1 (see
/// `Curve.stretch`): +a and −a cancel each other. As with `contrast`, the middle channel of a colour
/// keeps its relative place between the other two, so that hues stay.
public struct Blacks: Filter {
  public static let name = "blacks"
  public static let summary = "Brightens or darkens the darkest tones."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let revision = 2
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "+1 brightens black to 0.18, −1 makes the tone 0.18 black.")
  ]

  public var amount = 0.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let negative = Curve.linear(slope: -1, offset: 1)
    return graph.append(
      [.tone([negative, .stretch(-amount), negative])], in: Self.space, after: input)
  }
}
