/// The facts about a photo that the compiler needs; all of them are in the file's header.
public struct PhotoShape: Sendable, Hashable {
  /// The size in pixels as stored, before any turn.
  public var stored: Size
  public var orientation: Orientation
  /// The factors by which the photo's loader can reduce it; 1 is one of them.
  public var shrinks: [Int]
  /// True for a camera's mosaic: reduced much while it is decoded, it shows less noise and fewer
  /// details than the same photo that is reduced later.
  public var isMosaic: Bool

  public init(stored: Size, orientation: Orientation, shrinks: [Int], isMosaic: Bool = false) {
    self.stored = stored
    self.orientation = orientation
    self.shrinks = shrinks
    self.isMosaic = isMosaic
  }

  /// The size of the upright photo.
  public var upright: Size { orientation.swapsEdges ? stored.turned : stored }
}

extension Graph {
  /// The graph for one photo: every length is in pixels, and operations without effect are removed.
  func resolved(for photo: PhotoShape) -> Graph {
    var sizes: [ID: Size] = [:]
    return rebuilt { node, _, inputs, graph in
      let size = inputs.first.flatMap { sizes[$0] } ?? photo.stored
      let (result, newSize) = Self.resolve(node.operation, of: size, photo, inputs, &graph)
      sizes[result] = newSize
      return result
    }
  }

  private static func resolve(
    _ operation: Operation, of size: Size, _ photo: PhotoShape, _ inputs: [ID], _ graph: inout Graph
  ) -> (ID, Size) {
    let input = inputs.first ?? 0
    switch operation {
    case .orient:
      let correction = photo.orientation.correction
      var node = input
      if correction.flip { node = graph.append(.flip(.horizontal), node) }
      if correction.quarterTurns > 0 { node = graph.append(.turn(correction.quarterTurns), node) }
      return (node, photo.orientation.swapsEdges ? size.turned : size)
    case .crop(let crop):
      let rectangle = crop.rectangle(in: size)
      if rectangle.size == size { return (input, size) }
      return (graph.append(.crop(.pixels(rectangle)), input), rectangle.size)
    case .resize(var resize):
      let new = resize.size(from: size)
      if new == size { return (input, size) }
      resize.target = .pixels(new)
      return (graph.append(.resize(resize), input), new)
    case .pad(var pad):
      let (frame, place) = pad.placement(of: size)
      if frame == size { return (input, size) }
      pad.frame = .pixels(place, frame: frame)
      return (graph.append(.pad(pad), input), frame)
    case .warp(let warp) where warp.correctsLens:
      return (graph.appendCorrection(warp, input, of: size, photo), size)
    case .warp(var warp):
      let (map, new) = warp.resolved(for: size)
      if map == .identity && new == size { return (input, size) }
      warp.change = .pixels(map, from: size, to: new)
      return (graph.append(.warp(warp), input), new)
    case .shadow(let shadow):
      return (graph.append(operation, input), shadow.placement(of: size).frame)
    case .turn(let quarters):
      let new = quarters.isMultiple(of: 2) ? size : size.turned
      return (graph.append(operation, input), new)
    case .program(let program):
      let sized = Operation.program(program.covering(size))
      let images = inputs.dropFirst().map { graph.placed($0, in: input, for: photo) }
      return (graph.append(Node(operation: sized, inputs: [input] + images)), size)
    case .replacement(let replacement):
      return (graph.append(operation), replacement.size)
    case .area(let area):
      guard let sized = area.resolved(for: size) else { return (input, size) }
      let images = inputs.dropFirst().map { graph.placed($0, in: input, for: photo) }
      return (graph.append(Node(operation: .area(sized), inputs: [input] + images)), size)
    case .original, .map, .measured, .flip, .blend, .drawn, .external, .flatten, .rolloff:
      return (graph.append(Node(operation: operation, inputs: inputs)), size)
    }
  }

  /// The size of every node's image; the graph must be resolved.
  public func sizes(for photo: PhotoShape) -> [Size] {
    var sizes: [Size] = []
    for node in nodes {
      let size = node.inputs.first.map { sizes[$0] } ?? photo.stored
      switch node.operation {
      case .original(let shrink): sizes.append(size.reduced(by: shrink))
      case .crop(let crop): sizes.append(crop.rectangle(in: size).size)
      case .turn(let quarters): sizes.append(quarters.isMultiple(of: 2) ? size : size.turned)
      case .resize(let resize): sizes.append(resize.size(from: size))
      case .pad(let pad): sizes.append(pad.placement(of: size).frame)
      case .warp(let warp): sizes.append(warp.resolved(for: size).size)
      case .shadow(let shadow): sizes.append(shadow.placement(of: size).frame)
      case .replacement(let replacement): sizes.append(replacement.size)
      case .orient, .program, .map, .measured, .flip, .area, .blend, .drawn, .external, .flatten,
        .rolloff:
        sizes.append(size)
      }
    }
    return sizes
  }
}
