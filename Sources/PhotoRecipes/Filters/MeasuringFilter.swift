import Notation

/// A filter with operations that depend on a measurement of the photo.
public protocol MeasuringFilter: Filter, MeasuringOperation {}

extension MeasuringFilter {
  public static var viewEdge: Int { 512 }
  public static var seesEverythingIfExact: Bool { false }

  public var label: String { "\(Self.name) \(JSON.object(sparse).compactText)" }

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    graph.append(.measured(MeasuredStep(self)), input)
  }

  public func append(to graph: inout Graph, continuing input: Graph.ID) -> Graph.ID? { nil }
}
