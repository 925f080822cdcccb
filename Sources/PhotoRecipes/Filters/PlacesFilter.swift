/// A filter that measures places of the photo: how bright or how hazy they are.
///
/// In a film and in an animation, things move, so the filter measures the places of each frame. The
/// values for the whole photo stay those of the first frame, so that the film does not flicker.
protocol PlacesFilter: MeasuringFilter {
  /// The values that hold for all frames.
  associatedtype Held: Sendable, Hashable

  /// Measures the values that hold for all frames in a view of the first one.
  func held(of view: PhotoView) -> Held

  /// Appends the nodes of the filter for the places in `view`.
  func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView, holding held: Held
  ) -> Graph.ID
}

extension PlacesFilter {
  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    append(to: &graph, after: input, seeing: view, holding: held(of: view))
  }

  public func measuringFrames(after first: PhotoView?) -> (any MeasuringOperation)? {
    PlacesOfFrames(filter: self, held: first.map(held))
  }
}

/// A filter that has measured the first frame of a film, and measures the places of each frame.
private struct PlacesOfFrames<Measuring: PlacesFilter>: MeasuringOperation {
  static var viewEdge: Int { Measuring.viewEdge }
  static var seesEverythingIfExact: Bool { Measuring.seesEverythingIfExact }

  let filter: Measuring
  /// The values of the first frame; nil for a filter that continues the preceding one.
  let held: Measuring.Held?

  var measuresFrames: Bool { true }
  var label: String { filter.label }

  func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    filter.append(to: &graph, after: input, seeing: view, holding: held ?? filter.held(of: view))
  }

  func append(to graph: inout Graph, continuing input: Graph.ID) -> Graph.ID? {
    filter.append(to: &graph, continuing: input)
  }
}
