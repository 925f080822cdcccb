extension Graph {
  /// The minimum size that the loader must deliver, as a multiple of the target size.
  ///
  /// The resampling filter does the rest of the reduction and thus determines the quality.
  static let shrinkHeadroom = 1.25

  /// The same resolved graph with the photo reduced by its loader, by the largest factor that all
  /// operations that read the photo permit, and at most by `most`.
  ///
  /// If the loader delivers a resize's target size, the resize is removed.
  func withShrinkOnLoad(
    for photo: PhotoShape, headroom: Double = Graph.shrinkHeadroom, atMost most: Int = .max
  ) -> Graph {
    let factors = nodes.indices.filter { isOriginal($0) }.map { reduction(after: $0, for: photo) }
    guard let factor = factors.min(),
      let shrink = photo.shrinks.filter({ $0 <= most && Double($0) * headroom <= factor }).max(),
      shrink > 1
    else { return self }
    let (frame, consumers) = (photo.stored.reduced(by: shrink), consumers)
    var parts: [ID: Resize.Part] = [:]
    return rebuilt { node, id, inputs, graph in
      switch node.operation {
      case .original: return graph.append(.original(shrink: shrink))
      case .crop(.pixels(let rectangle)) where isOriginal(node.inputs[0]):
        var place = rectangle.reduced(by: shrink, in: frame)
        if consumers[id].allSatisfy({ takesPart($0, of: place.size) }) {
          (place, parts[id]) = rectangle.covered(by: shrink, in: frame)
        }
        return graph.append(.crop(.pixels(place)), inputs[0])
      case .resize(var resize):
        let size = graph.sizes(for: photo)[inputs[0]]
        if let part = parts[node.inputs[0]] { resize.part = resize.part.inside(part) }
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
    return known.planned(for: photo, rendering).shrink
  }

  /// The factor by which the loader reduces the photo of a planned graph.
  public var shrink: Int {
    nodes.map { node in
      if case .original(let shrink) = node.operation { shrink } else { 1 }
    }.max() ?? 1
  }

  /// True if a node resamples an image of `size` and can read a part of it.
  private func takesPart(_ id: ID, of size: Size) -> Bool {
    guard case .resize(let resize) = nodes[id].operation, resize.kernel != .nearest else {
      return false
    }
    return resize.size(from: size) != size || resize.part != .whole
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
  /// This rectangle in the photo reduced by `shrink` to the size `frame`, rounded.
  fileprivate func reduced(by shrink: Int, in frame: Size) -> Rectangle {
    func part(_ length: Int) -> Int { Int((Double(length) / Double(shrink)).rounded()) }
    let (left, top) = (min(part(left), frame.width - 1), min(part(top), frame.height - 1))
    return Rectangle(
      left: left, top: top,
      size: Size(
        max(1, min(part(size.width), frame.width - left)),
        max(1, min(part(size.height), frame.height - top))))
  }

  /// The pixels of the photo, reduced by `shrink` to the size `frame`, that cover this rectangle,
  /// and the part of them that it takes.
  ///
  /// The loader leaves out the photo's last columns and rows if they do not fill a reduced pixel.
  fileprivate func covered(by shrink: Int, in frame: Size) -> (Rectangle, Resize.Part) {
    func span(
      _ start: Int, _ length: Int, _ room: Int
    ) -> (first: Int, count: Int, start: Double, length: Double) {
      let first = min(start / shrink, room - 1)
      let count = min((start + length + shrink - 1) / shrink, room) - first
      func place(_ edge: Int) -> Double { Double(edge) / Double(shrink) - Double(first) }
      let low = start < room * shrink ? place(start) : 0
      let high = min(place(start + length), Double(count))
      return (first, count, low / Double(count), (high - low) / Double(count))
    }
    let across = span(left, size.width, frame.width)
    let down = span(top, size.height, frame.height)
    return (
      Rectangle(left: across.first, top: down.first, size: Size(across.count, down.count)),
      Resize.Part(start: [across.start, down.start], length: [across.length, down.length])
    )
  }
}
