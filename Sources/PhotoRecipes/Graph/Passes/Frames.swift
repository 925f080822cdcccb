extension Graph {
  /// The graph that edits the frames of a film like an output edits the photo.
  ///
  /// The film shows the photo's scene at another size: every length is changed by the same factor.
  /// A frame of another shape is first cut to the photo's shape, around its centre. The only
  /// placeholders in the graph are those of filters that measure each frame.
  ///
  /// - Parameters:
  ///   - output: The name of the output.
  ///   - photo: The shape of the photo.
  ///   - film: The shape of the frames.
  /// - Returns: The graph; nil if there is no such output.
  /// - Throws: `FrameObstacle` if a step needs something that frames do not have.
  public func editingFrames(
    _ output: String, of photo: PhotoShape, in film: PhotoShape
  ) throws(FrameObstacle) -> Graph? {
    guard let end = outputs.first(where: { $0.name == output }) else { return nil }
    let upright = PhotoShape(stored: photo.upright, orientation: .upright, shrinks: [1])
    let full = ending(at: end.node, as: output).fused.resolved(for: upright).fused
    for node in full.nodes {
      if let obstacle = node.operation.obstacleInFrames { throw obstacle }
    }
    let sizes = full.sizes(for: upright)
    let (whole, frame) = (upright.stored, film.upright)
    let factor = min(
      Double(frame.width) / Double(whole.width), Double(frame.height) / Double(whole.height))
    let scaled = whole.scaled(by: factor)
    let start = Size(min(scaled.width, frame.width), min(scaled.height, frame.height))
    var graph = Graph()
    var made: [(node: ID, size: Size)] = []
    for (id, node) in full.nodes.enumerated() {
      guard let input = node.inputs.first else {
        var first = graph.append(node.operation)
        if case .original = node.operation {
          first = graph.append(.orient, first)
          if start != frame {
            let place = Rectangle(
              left: (frame.width - start.width) / 2, top: (frame.height - start.height) / 2,
              size: start)
            first = graph.append(.crop(.pixels(place)), first)
          }
        }
        made.append((first, start))
        continue
      }
      let (before, size) = (made[input].size, sizes[id].scaled(by: factor))
      if case .resize(var resize) = node.operation {
        resize.target = .pixels(size)
        made.append((graph.append(.resize(resize), made[input].node), size))
      } else if let operation = node.operation.scaled(
        by: factor, from: sizes[input], before, to: size)
      {
        let inputs = node.inputs.map { made[$0].node }
        made.append(
          (graph.append(Node(operation: operation, inputs: inputs)), operation.size(before, size)))
      } else {
        made.append(made[input])
      }
    }
    graph.addOutput(output, made[full.outputs[0].node].node)
    return graph
  }
}

/// A step that cannot edit the frames of a film.
public enum FrameObstacle: Error, Hashable {
  /// A mask reads a matte or a depth map, which frames do not have.
  case auxiliary(AuxiliaryPicture)
  /// A mask covers the faces of the photo, which move in the film.
  case faces
  /// A step runs another program, which gets photos only.
  case program

  public var message: String {
    switch self {
    case .auxiliary(let picture):
      "a mask needs the photo's \(picture.title), which frames do not have"
    case .faces: "a mask covers the photo's faces, which move in the film"
    case .program: "the recipe runs another program, which gets photos only"
    }
  }
}

extension Operation {
  /// The reason why frames of a film cannot pass the operation; nil if they can.
  fileprivate var obstacleInFrames: FrameObstacle? {
    switch self {
    case .map(let source): source.obstacleInFrames
    case .external, .replacement: .program
    default: nil
    }
  }
}

extension MapSource {
  fileprivate var obstacleInFrames: FrameObstacle? {
    switch self {
    case .auxiliary(let map): .auxiliary(map.picture)
    case .faces: .faces
    case .coverage(let coverage): coverage.maps.lazy.compactMap(\.obstacleInFrames).first
    case .values, .file: nil
    }
  }
}
