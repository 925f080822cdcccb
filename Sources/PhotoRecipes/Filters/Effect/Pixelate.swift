/// Replaces the photo by squares, each with the mean colour of its pixels.
public struct Pixelate: Filter {
  public static let name = "pixelate"
  public static let summary = "Replaces the photo by a mosaic of single-coloured squares."
  public static let category = FilterCategory.effect
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting("size", \.size, .integer(.pixels, 1...1000), identity: 1, "The side of a square.")
      .usually(1...100)
  ]

  public var size = 20

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(.area(AreaOperation(.pixelate, ["size": .length(Double(size))])), input)
  }
}
