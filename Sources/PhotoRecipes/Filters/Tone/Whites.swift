/// Moves the white point; darker tones move less, and black stays.
///
/// `out = in / √(1 − amount × in² / 2)`, a straight line outside 0…1 (see `Curve.stretch`): +a and
/// −a cancel each other. As with `contrast`, the middle channel of a colour keeps its relative place
/// between the other two, so that hues stay.
public struct Whites: Filter {
  public static let name = "whites"
  public static let summary = "Brightens or dims the brightest tones."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let revision = 2
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "+1 turns the tone 0.82 white, −1 darkens white to 0.82.")
  ]

  public var amount = 0.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.tone([.stretch(amount)])], in: Self.space, after: input)
  }
}
