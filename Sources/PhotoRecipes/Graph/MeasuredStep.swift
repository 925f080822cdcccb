/// An operation that must see the photo before it knows what to do.
public protocol MeasuringOperation: Sendable, Hashable {
  /// The most pixels of the longer edge that it asks to see.
  static var viewEdge: Int { get }
  /// True if it sees the photo at full size under `"rendering": "exact"`.
  static var seesEverythingIfExact: Bool { get }

  /// The name and the settings, as `phbatch explain` prints them.
  var label: String { get }

  /// Appends the operations after `input`, now that it has seen the photo there.
  func append(to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView) -> Graph.ID

  /// Appends the operations where the step before it has measured all that this one needs; nil
  /// where it must look for itself.
  func append(to graph: inout Graph, continuing input: Graph.ID) -> Graph.ID?
}

/// A place in a graph where an operation waits to see the photo.
public struct MeasuredStep: Sendable, Hashable, CustomStringConvertible {
  public let operation: any MeasuringOperation

  public init(_ operation: any MeasuringOperation) { self.operation = operation }

  public static func == (a: MeasuredStep, b: MeasuredStep) -> Bool {
    AnyHashable(a.operation) == AnyHashable(b.operation)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(operation)) }

  public var description: String { operation.label }
}
