/// A filter that measures how bright or how hazy each place of the photo is.
///
/// In a film and in an animation, things move, so the filter measures the places of each frame. The
/// values for the whole photo are those of the first frame, so that the film does not flicker.
protocol PlacesFilter: MeasuringFilter {
  /// The values for the whole photo.
  associatedtype Values: Sendable, Hashable

  func values(of view: PhotoView) -> Values

  /// Appends the nodes of the filter for the places in `view`: one map, and the programs that read it.
  func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView, _ values: Values
  ) -> Graph.ID
}

extension PlacesFilter {
  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    append(to: &graph, after: input, seeing: view, values(of: view))
  }

  public func measuringFrames(
    after first: PhotoView?, number: Int
  ) -> (any MeasuringOperation)? {
    PlacesOfFrames(filter: self, values: first.map(values), number: number)
  }
}

/// A filter that has measured the first frame of a film, and measures the places of each frame.
private struct PlacesOfFrames<Measuring: PlacesFilter>: MeasuringOperation {
  static var viewEdge: Int { Measuring.viewEdge }
  static var seesEverythingIfExact: Bool { Measuring.seesEverythingIfExact }

  let filter: Measuring
  /// The values of the first frame; nil for a filter that continues the preceding one and needs none.
  let values: Measuring.Values?
  /// The number of the filter in its graph, which its map gets.
  let number: Int

  var measuresFrames: Bool { true }
  var seesLightAboveWhite: Bool { filter.seesLightAboveWhite }
  var label: String { filter.label }

  func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    // A graph joins equal nodes, so a map gets its number before it is added to the graph.
    var own = Graph()
    let photo = own.append(.original(shrink: 1))
    let end = filter.append(
      to: &own, after: photo, seeing: view, values ?? filter.values(of: view))
    var moved = [input]
    for node in own.nodes.dropFirst() {
      var operation = node.operation
      if case .map(.values(var map)) = operation {
        map.step = number
        operation = .map(.values(map))
      }
      moved.append(
        graph.append(Graph.Node(operation: operation, inputs: node.inputs.map { moved[$0] })))
    }
    return moved[end]
  }

  func append(to graph: inout Graph, continuing input: Graph.ID) -> Graph.ID? {
    filter.append(to: &graph, continuing: input)
  }
}
