/// Composites a transparent photo over a background colour.
public struct Background: Filter {
  public static let name = "background"
  public static let summary = "Puts a transparent photo on a colour; opaque photos do not change."
  public static let category = FilterCategory.composite
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting("colour", \.colour, .colour, "The colour behind the photo.")
  ]

  public var colour = Colour.white

  public init() {}

  public static var example: Self {
    with { $0.colour = Colour(red: 0x2f, green: 0x5d, blue: 0x73) }
  }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(.flatten(colour), input)
  }
}
