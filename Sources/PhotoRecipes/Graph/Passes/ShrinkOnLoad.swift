extension Graph {
  /// The minimum size that the loader must deliver, as a multiple of the target size.
  ///
  /// The resampling filter does the rest of the reduction and thus determines the quality.
  static let shrinkHeadroom = 1.25

  /// The same resolved graph with the photo reduced by its loader, by the largest factor that all
  /// operations that read the photo permit.
  ///
  /// If the loader delivers a resize's target size, the resize is removed.
  func withShrinkOnLoad(
    for photo: PhotoShape, headroom: Double = Graph.shrinkHeadroom
  ) -> Graph {
    let factors = nodes.indices.filter { isOriginal($0) }.map { reduction(after: $0, for: photo) }
    guard let factor = factors.min(),
      let shrink = photo.shrinks.filter({ Double($0) * headroom <= factor }).max(),
      shrink > 1
    else { return self }
    return rebuilt { node, _, inputs, graph in
      switch node.operation {
      case .original: return graph.append(.original(shrink: shrink))
      case .crop(.pixels(let rectangle)) where isOriginal(node.inputs[0]):
        let part = rectangle.reduced(by: shrink, in: photo.stored.reduced(by: shrink))
        return graph.append(.crop(.pixels(part)), inputs[0])
      case .resize(let resize):
        let size = graph.sizes(for: photo)[inputs[0]]
        if resize.size(from: size) == size, resize.part == .whole { return inputs[0] }
        return graph.append(.resize(resize), inputs[0])
      default: return graph.append(Node(operation: node.operation, inputs: inputs))
      }
    }
  }

  /// The factor by which the loader reduces the photo, if steps that measure the photo turn out to
  /// change only colours.
  public func shrink(for photo: PhotoShape, _ rendering: RenderingMode) -> Int {
    let known = rebuilt { node, _, inputs, graph in
      if case .measured = node.operation { return inputs[0] }
      return graph.append(Node(operation: node.operation, inputs: inputs))
    }
    return known.planned(for: photo, rendering).nodes.map { node in
      if case .original(let shrink) = node.operation { shrink } else { 1 }
    }.max() ?? 1
  }

  private func isOriginal(_ id: ID) -> Bool {
    if case .original = nodes[id].operation { true } else { false }
  }

  /// The smallest factor by which the operations that read node `id` reduce it, directly or after a
  /// crop of the original; 1 if one of them needs it at full size.
  private func reduction(after id: ID, for photo: PhotoShape) -> Double {
    if outputs.contains(where: { $0.node == id }) { return 1 }
    let sizes = sizes(for: photo)
    let factors = consumers[id].map { consumer in
      switch nodes[consumer].operation {
      case .crop where isOriginal(id): return reduction(after: consumer, for: photo)
      case .resize(let resize) where !resize.linear:
        let (from, to) = (sizes[id], sizes[consumer])
        return min(
          Double(from.width) / Double(to.width), Double(from.height) / Double(to.height))
      default: return 1
      }
    }
    return factors.min() ?? 1
  }
}

extension Rectangle {
  /// This rectangle in the photo reduced by `shrink` to the size `frame`.
  fileprivate func reduced(by shrink: Int, in frame: Size) -> Rectangle {
    func part(_ length: Int) -> Int { Int((Double(length) / Double(shrink)).rounded()) }
    let (left, top) = (min(part(left), frame.width - 1), min(part(top), frame.height - 1))
    return Rectangle(
      left: left, top: top,
      size: Size(
        max(1, min(part(size.width), frame.width - left)),
        max(1, min(part(size.height), frame.height - top))))
  }
}
