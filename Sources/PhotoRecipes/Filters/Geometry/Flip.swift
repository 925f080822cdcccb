/// Mirrors the photo.
public struct Flip: Filter {
  public static let name = "flip"
  public static let summary = "Mirrors the photo."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let settings: [Setting<Self>] = [
    Setting(
      "direction", \.direction, Operation.Axis.kind,
      "horizontal swaps left and right, vertical swaps top and bottom.")
  ]

  public var direction = Operation.Axis.horizontal

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(.flip(direction), input)
  }
}
