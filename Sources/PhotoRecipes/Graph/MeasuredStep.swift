/// An operation that depends on a measurement of the photo.
///
/// The operation measures a view: a reduced copy of the result of the preceding steps.
public protocol MeasuringOperation: Sendable, Hashable {
  /// The maximum longer edge, in pixels, of the reduced copy of the photo that the operation
  /// measures.
  static var viewEdge: Int { get }
  /// True if the operation measures the photo at full size with `"rendering": "exact"`.
  static var seesEverythingIfExact: Bool { get }
  /// True if the operation needs the faces in the view.
  var seesFaces: Bool { get }
  /// True if the operation changes the tones of places by their own light, so that it must see the
  /// light above white that an HDR output keeps.
  var seesLightAboveWhite: Bool { get }

  /// The name and the settings, as `phbatch explain` prints them.
  var label: String { get }

  /// Appends the nodes of the operation to `graph` after `input`; `view` is the reduced photo at
  /// this point of the chain.
  func append(to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView) -> Graph.ID

  /// Appends the nodes of the operation to `graph` if the preceding step has already measured
  /// everything that this operation needs; otherwise returns nil, and the operation must measure a
  /// view itself.
  func append(to graph: inout Graph, continuing input: Graph.ID) -> Graph.ID?

  /// Returns the operation that measures each frame of a film or of an animation; nil if the
  /// measurement of the first frame holds for all frames.
  ///
  /// `first` is the view of the first frame, or nil if the operation continues the preceding step.
  /// `number` is that of the operation's map.
  func measuringFrames(after first: PhotoView?, number: Int) -> (any MeasuringOperation)?
  /// True for an operation that `measuringFrames` has returned.
  var measuresFrames: Bool { get }
}

extension MeasuringOperation {
  public var seesFaces: Bool { false }
  public var seesLightAboveWhite: Bool { false }
  public var measuresFrames: Bool { false }

  public func measuringFrames(
    after first: PhotoView?, number: Int
  ) -> (any MeasuringOperation)? { nil }
}

/// A placeholder in a graph for an operation that has not measured the photo yet.
public struct MeasuredStep: Sendable, Hashable, CustomStringConvertible {
  public let operation: any MeasuringOperation
  /// True if outputs for HDR displays use the result.
  public let isHDR: Bool

  public init(_ operation: any MeasuringOperation, isHDR: Bool = false) {
    (self.operation, self.isHDR) = (operation, isHDR)
  }

  public static func == (a: MeasuredStep, b: MeasuredStep) -> Bool {
    AnyHashable(a.operation) == AnyHashable(b.operation) && a.isHDR == b.isHDR
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(AnyHashable(operation))
    hasher.combine(isHDR)
  }

  public var description: String { operation.label }
}
