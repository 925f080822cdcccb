/// Replaces each channel by its median over a square, which removes specks and scratches.
///
/// Pixels are weighted by alpha, so that transparent ones do not count.
public struct Median: Filter {
  public static let name = "median"
  public static let summary = "Removes specks that cover less than half of a square."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let revision = 2
  public static let settings: [Setting<Self>] = [
    Setting(
      "radius", \.radius, .integer(.pixels, 1...5),
      "Pixels on each side of the centre; the square's side is 2 × radius + 1 pixels.")
  ]

  public var radius = 1

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(.area(AreaOperation(.median, ["radius": .integer(radius)])), input)
  }
}
