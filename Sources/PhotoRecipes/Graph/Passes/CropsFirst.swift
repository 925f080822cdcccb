extension Graph {
  /// The same resolved graph with crops moved towards the loader: past point programs, turns and
  /// flips, and into warps.
  ///
  /// Consecutive crops are merged. Pixels that a later crop would remove are thus not computed.
  func withCropsFirst(for photo: PhotoShape) -> Graph {
    var graph = self
    while true {
      let moved = graph.withEachCropMovedOnce(for: photo)
      if moved == graph { return graph }
      graph = moved
    }
  }

  private func withEachCropMovedOnce(for photo: PhotoShape) -> Graph {
    let uses = uses
    return rebuilt { node, _, inputs, graph in
      guard case .crop(.pixels(let rectangle)) = node.operation, let input = inputs.first,
        uses[node.inputs[0]] == 1, let source = graph.nodes[input].inputs.first
      else { return graph.append(Node(operation: node.operation, inputs: inputs)) }
      // Another crop may have been moved before this one, so the size is that of the new graph.
      let size = graph.sizes(for: photo)[source]
      switch graph.nodes[input].operation {
      case .program(let program) where !program.hasLayers:
        let cropped = graph.append(node.operation, source)
        let part = Operation.program(program.cropped(to: rectangle, of: size))
        let images = graph.nodes[input].inputs.dropFirst()
        return graph.append(Node(operation: part, inputs: [cropped] + images))
      case .crop(.pixels(let outer)):
        let inner = Rectangle(
          left: outer.left + rectangle.left, top: outer.top + rectangle.top, size: rectangle.size)
        return graph.append(.crop(.pixels(inner)), source)
      case .turn(let quarters):
        let stored = rectangle.beforeTurn(quarters, of: size)
        return graph.append(.turn(quarters), graph.append(.crop(.pixels(stored)), source))
      case .flip(let axis):
        let stored = rectangle.flipped(axis, in: size)
        return graph.append(.flip(axis), graph.append(.crop(.pixels(stored)), source))
      case .warp(let warp): return graph.append(.warp(warp.cropped(to: rectangle)), source)
      default: return graph.append(Node(operation: node.operation, inputs: inputs))
      }
    }
  }
}

extension Rectangle {
  /// The rectangle in an image of `size` that becomes this rectangle when the image is turned
  /// clockwise.
  func beforeTurn(_ quarters: Int, of size: Size) -> Rectangle {
    switch quarters {
    case 1:
      Rectangle(left: top, top: size.height - left - self.size.width, size: self.size.turned)
    case 2:
      Rectangle(
        left: size.width - left - self.size.width, top: size.height - top - self.size.height,
        size: self.size)
    case 3:
      Rectangle(left: size.width - top - self.size.height, top: left, size: self.size.turned)
    default: self
    }
  }

  func flipped(_ axis: Operation.Axis, in frame: Size) -> Rectangle {
    switch axis {
    case .horizontal:
      Rectangle(left: frame.width - left - size.width, top: top, size: size)
    case .vertical:
      Rectangle(left: left, top: frame.height - top - size.height, size: size)
    }
  }
}
