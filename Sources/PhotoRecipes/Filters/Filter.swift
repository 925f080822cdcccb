/// One kind of change to a photo: a plain value with a name, settings and a graph.
public protocol Filter: Configurable {
  static var category: FilterCategory { get }
  /// The colour space in which the filter computes.
  static var space: WorkingSpace { get }
  /// The version of the filter's result. The version is incremented if the same settings give a
  /// different picture; existing renditions are then stale.
  static var revision: Int { get }
  /// True if the filter changes the frame, so that its result cannot be mixed with its input.
  static var changesFrame: Bool { get }
  /// True if the filter at these settings keeps the frame.
  var keepsFrame: Bool { get }
  /// Settings that show the effect of the filter in the example picture of the filter reference.
  static var example: Self { get }

  /// Appends the filter's operations after `input` and returns the node with its result.
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
