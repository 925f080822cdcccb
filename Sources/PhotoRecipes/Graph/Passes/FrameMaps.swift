/// The maps of steps that measure each frame of a film or of an animation.
extension Graph {
  /// True if a step measures places, which move in a film.
  public var measuresPlaces: Bool {
    nodes.contains { node in
      guard case .measured(let step) = node.operation else { return false }
      return step.operation.measuringFrames(after: nil) != nil
    }
  }

  /// The same graph after its first measuring step has seen a view of the first frame: the step is
  /// replaced by its operations, or by a step that measures the places of each frame.
  ///
  /// `first` is nil for a step that continues the preceding one.
  public func seeing(firstFrame first: PhotoView?) -> Graph {
    for (id, node) in nodes.enumerated() {
      guard case .measured(let step) = node.operation, !step.operation.measuresFrames else {
        continue
      }
      guard let each = step.operation.measuringFrames(after: first) else {
        return first.map { replacing(id, seeing: $0) } ?? self
      }
      return rebuilt { old, other, inputs, graph in
        let operation = other == id ? .measured(MeasuredStep(each)) : old.operation
        return graph.append(Node(operation: operation, inputs: inputs))
      }
    }
    return self
  }

  /// The maps of measured values, in the order of the nodes.
  public var measuredMaps: [MapValues] {
    nodes.compactMap { node in
      if case .map(.values(let values)) = node.operation { values } else { nil }
    }
  }

  /// The same graph with the number of each map, in the order of `measuredMaps`, in place of its
  /// values.
  public var numberingMaps: Graph {
    var number = 0
    return rebuilt { old, _, inputs, graph in
      guard case .map(.values(let values)) = old.operation else {
        return graph.append(Node(operation: old.operation, inputs: inputs))
      }
      let numbered = MapValues(
        size: values.size, bands: values.bands,
        values: Array(repeating: Float(number), count: values.values.count))
      number += 1
      return graph.append(Node(operation: .map(.values(numbered)), inputs: inputs))
    }
  }
}
