import Notation

/// A filter that must see the photo before it knows what to do.
///
/// The filter sees the reduced result of the steps before it.
public protocol MeasuringFilter: Filter {
  /// The most pixels of the longer edge that it asks to see.
  static var viewEdge: Int { get }
  /// True if it sees the photo at full size under `"rendering": "exact"`.
  static var seesEverythingIfExact: Bool { get }

  /// Appends the filter's operations after `input`, now that it has seen the photo there.
  func append(to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView) -> Graph.ID

  /// Appends the filter's operations where the step before it has measured all that this one needs;
  /// nil where it must look for itself.
  func append(to graph: inout Graph, continuing input: Graph.ID) -> Graph.ID?
}

extension MeasuringFilter {
  public static var viewEdge: Int { 512 }
  public static var seesEverythingIfExact: Bool { false }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(.measured(MeasuredStep(self)), input)
  }

  public func append(to graph: inout Graph, continuing input: Graph.ID) -> Graph.ID? { nil }
}

/// A place in a graph where a filter waits to see the photo.
public struct MeasuredStep: Sendable, Hashable {
  public let filter: any MeasuringFilter

  public init(_ filter: any MeasuringFilter) { self.filter = filter }

  public static func == (a: MeasuredStep, b: MeasuredStep) -> Bool {
    AnyHashable(a.filter) == AnyHashable(b.filter)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(filter)) }
}

extension MeasuredStep: CustomStringConvertible {
  public var description: String {
    let type = Swift.type(of: filter)
    return "\(type.name) \(JSON.object(filter.sparse).compactText)"
  }
}
