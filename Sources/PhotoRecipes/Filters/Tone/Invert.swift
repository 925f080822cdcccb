/// Converts a photo to its negative.
///
/// `out = 1 − in`.
public struct Invert: Filter {
  public static let name = "invert"
  public static let summary = "Turns the photo into its negative."
  public static let category = FilterCategory.tone
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = []

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append([.curve(.linear(slope: -1, offset: 1))], in: Self.space, after: input)
  }
}
