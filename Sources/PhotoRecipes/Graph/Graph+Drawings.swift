extension Graph {
  /// A drawing on the photo, and its position in the frame of an output.
  public struct LaidDrawing: Sendable, Hashable {
    public let drawing: Drawing
    /// The size of the frame in which it is drawn.
    public let frame: Size
    /// Maps positions in the output's frame to positions in `frame`, both 0…1.
    public let place: Homography
  }

  /// The drawings that are laid over the photo in each output, by the output's name.
  ///
  /// The graph must be resolved, and must not contain placeholders of filters that measure the
  /// photo.
  public func drawings(for photo: PhotoShape) -> [String: [LaidDrawing]] {
    let sizes = sizes(for: photo)
    let pairs = outputs.map { ($0.name, drawings(to: $0.node, sizes)) }
    return Dictionary(pairs) { first, _ in first }
  }

  private func drawings(to output: ID, _ sizes: [Size]) -> [LaidDrawing] {
    var found: [LaidDrawing] = []
    var seen: Set<ID> = []
    // Each node with the map from positions in the output's frame to pixels of the node.
    var waiting = [(id: output, place: Homography.scale(sizes[output]))]
    while let (id, place) = waiting.popLast() {
      guard seen.insert(id).inserted else { continue }
      if case .drawn(let drawing) = nodes[id].operation {
        found.append(
          LaidDrawing(
            drawing: drawing, frame: sizes[id],
            place: Homography.scale(sizes[id]).inverse.after(place)))
      }
      for input in nodes[id].inputs {
        if case .map = nodes[input].operation { continue }
        let step = nodes[id].operation.source(from: sizes[input], to: sizes[id])
        waiting.append((input, step.after(place)))
      }
    }
    return found
  }
}
