/// One kind of change to a photo: a plain value that names itself, its settings and its graph.
public protocol Filter: Configurable {
  static var category: FilterCategory { get }
  /// The space in which the filter's arithmetic holds.
  static var space: WorkingSpace { get }
  /// Raised when the same settings give another picture: makes renditions stale.
  static var revision: Int { get }
  /// True if the filter changes the frame, so that its result cannot be mixed with its input.
  static var changesFrame: Bool { get }
  /// True if the filter at these settings keeps the frame.
  var keepsFrame: Bool { get }
  /// Settings that show what the filter does; the reference has a picture of it.
  static var example: Self { get }

  /// Appends the filter's operations after `input` and returns the node that holds its result.
  func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID
}

extension Filter {
  public static var revision: Int { 1 }

  public static var changesFrame: Bool { category == .geometry }

  public var keepsFrame: Bool { !Self.changesFrame }
}

public enum FilterCategory: String, Sendable, CaseIterable {
  case geometry, tone, colour, detail, effect, composite
}
