/// Moves the black point; brighter tones move less, and white stays.
///
/// With `d = 1 − in`, `out = 1 − d / √(1 + amount × d² / 2)`, a straight line outside 0…1 (see
/// `Curve.stretch`): +a and −a cancel each other.
public struct Blacks: Filter {
  public static let name = "blacks"
  public static let summary = "Brightens or darkens the darkest tones."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "+1 brightens black to 0.18, −1 makes the tone 0.18 black.")
  ]

  public var amount = 0.0

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let negative = Curve.linear(slope: -1, offset: 1)
    let curves = [negative, .stretch(-amount), negative]
    return graph.append(
      [.channels(red: curves, green: curves, blue: curves)], in: Self.space, after: input)
  }
}
