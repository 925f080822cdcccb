/// Turns the photo upright by its orientation tag.
///
/// Every recipe begins with this filter, even if the recipe does not name it; a recipe may name it
/// for clarity.
public struct Orient: Filter {
  public static let name = "orient"
  public static let summary = "Turns the photo upright; always the first step, even if not listed."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let settings: [Setting<Self>] = []

  public init() {}

  public var isIdentity: Bool { true }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID { input }
}
