/// Adds the same amount to all display-encoded values.
///
/// `out = in + amount`.
public struct Brightness: Filter {
  public static let name = "brightness"
  public static let summary = "Brightens or darkens all tones equally."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "amount", \.amount, .number(.strength, -1...1), identity: 0,
      "The value that is added to each channel; −1 makes the photo black, +1 white.")
  ]

  public var amount = 0.0

  public init() {}

  public static var example: Self { with { $0.amount = 0.15 } }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.curve(.linear(slope: 1, offset: amount))], in: Self.space, after: input)
  }
}
