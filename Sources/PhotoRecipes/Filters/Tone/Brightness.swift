/// Adds the same amount to all display-encoded values.
///
/// `out = in + amount`.
public struct Brightness: Filter {
  public static let name = "brightness"
  public static let summary = "Lifts or lowers all tones alike."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "Added to each value; −1 makes all black, +1 all white.")
  ]

  public var amount = 0.0

  public init() {}

  public static var example: Self { with { $0.amount = 0.15 } }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.curve(.linear(slope: 1, offset: amount))], in: Self.space, after: input)
  }
}
