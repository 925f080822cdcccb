extension Graph {
  /// The same resolved graph with reductions moved towards the loader, past point programs, turns
  /// and flips.
  ///
  /// Fewer pixels are then computed, and a turn materializes less. A warp followed by a large
  /// reduction is computed on a reduced photo.
  ///
  /// For turns and flips the result is exact except for rounding. For point programs it is an
  /// approximation, because averaging and tone curves do not commute. The removal of a sensor's
  /// noise becomes weaker, because the reduction averages a part of the noise.
  func withReductionsFirst(for photo: PhotoShape) -> Graph {
    var graph = self
    while true {
      let moved = graph.withEachReductionMovedOnce(for: photo)
      if moved == graph { return graph }
      graph = moved
    }
  }

  private func withEachReductionMovedOnce(for photo: PhotoShape) -> Graph {
    let sizes = sizes(for: photo)
    let consumers = consumers
    let ends = Set(outputs.map(\.node))
    func reduces(_ id: ID) -> Bool {
      guard case .resize(let resize) = nodes[id].operation, !resize.linear,
        let input = nodes[id].inputs.first
      else { return false }
      return sizes[id].width <= sizes[input].width && sizes[id].height <= sizes[input].height
    }
    return rebuilt { node, id, inputs, graph in
      let plain = Node(operation: node.operation, inputs: inputs)
      guard case .resize(var resize) = node.operation, reduces(id), let input = inputs.first,
        let before = node.inputs.first, consumers[before].allSatisfy(reduces),
        !ends.contains(before), let source = graph.nodes[input].inputs.first
      else { return graph.append(plain) }
      let operation = graph.nodes[input].operation
      switch operation {
      case .program(let program) where !program.hasLayers && !program.dependsOnPixels:
        let images = graph.nodes[input].inputs.dropFirst()
        let reduced = graph.append(.resize(resize), source)
        return graph.append(Node(operation: operation, inputs: [reduced] + images))
      case .area(let area) where area.isOfSensor:
        let reduced = graph.append(.resize(resize), source)
        let factor = Double(sizes[id].longEdge) / Double(sizes[before].longEdge)
        guard let weaker = area.scaled(by: factor), weaker.isVisible else { return reduced }
        return graph.append(.area(weaker), reduced)
      case .flip: return graph.append(operation, graph.append(.resize(resize), source))
      case .turn(let quarters):
        if !quarters.isMultiple(of: 2) { resize.target = .pixels(sizes[id].turned) }
        return graph.append(operation, graph.append(.resize(resize), source))
      case .warp(let warp):
        guard let (early, late) = warp.split(around: resize, to: sizes[id]) else {
          return graph.append(plain)
        }
        let warped = graph.append(.warp(late), graph.append(.resize(early), source))
        return graph.append(.resize(resize), warped)
      default: return graph.append(plain)
      }
    }
  }
}
