/// The maps of steps that measure each frame of a film or of an animation.
extension Graph {
  /// The number of steps that still have to measure places, which move in a film.
  public var placesSteps: Int {
    nodes.count { node in
      guard case .measured(let step) = node.operation else { return false }
      return step.operation.measuringFrames(after: nil, number: 0) != nil
    }
  }

  /// The same graph after its first measuring step has seen a view of the first frame: the step is
  /// replaced by its operations, or by a step that measures the places of each frame.
  ///
  /// `first` is nil for a step that continues the preceding one.
  public func seeing(firstFrame first: PhotoView?) -> Graph {
    var number = 0
    for (id, node) in nodes.enumerated() {
      guard case .measured(let step) = node.operation else { continue }
      if step.operation.measuresFrames {
        number += 1
        continue
      }
      guard let each = step.operation.measuringFrames(after: first, number: number) else {
        return first.map { replacing(id, seeing: $0) } ?? self
      }
      return rebuilt { old, other, inputs, graph in
        let operation =
          other == id ? .measured(MeasuredStep(each, isHDR: step.isHDR)) : old.operation
        return graph.append(Node(operation: operation, inputs: inputs))
      }
    }
    return self
  }

  /// The maps of steps that measure each frame, by the numbers of the steps.
  public var frameMaps: [Int: MapValues] {
    var maps: [Int: MapValues] = [:]
    for node in nodes {
      if case .map(.values(let map)) = node.operation, let step = map.step { maps[step] = map }
    }
    return maps
  }
}
