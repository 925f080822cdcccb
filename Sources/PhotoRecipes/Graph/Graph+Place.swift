extension Graph {
  /// The position of a point of the upright photo in the frame of the graph's output, both 0…1 from
  /// the left and from the top.
  ///
  /// The position is outside 0…1 if the point was cropped away.
  ///
  /// Nil if the output was made from an image that an external program returned, not from the
  /// photo.
  public func place(
    of point: Homography.Point, for photo: PhotoShape
  ) -> Homography.Point? {
    frame(for: photo).map { $0(point) }
  }

  /// Returns the map from positions in the upright photo to positions in the frame of the graph's
  /// output, both 0…1.
  ///
  /// Nil if the output was made from an image that an external program returned, not from the
  /// photo.
  public func frame(for photo: PhotoShape) -> Homography? {
    let graph = resolved(for: photo)
    return graph.outputs.first.flatMap { graph.source(of: $0.node, for: photo) }
      .map { $0.inverse.after(photo.orientation.stored) }
  }

  /// Returns, for each output by its name, the map from positions in the upright photo to positions
  /// in the output's frame, both 0…1.
  ///
  /// Outputs that were made from an image that an external program returned are omitted.
  ///
  /// The graph must be resolved, and must not contain placeholders of filters that measure the
  /// photo.
  public func frames(for photo: PhotoShape) -> [String: Homography] {
    let stored = photo.orientation.stored
    let pairs = outputs.compactMap { output in
      source(of: output.node, for: photo).map { (output.name, $0.inverse.after(stored)) }
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Returns, for each output by its name, the part of the photo that is visible in its frame.
  ///
  /// Outputs that were made from an image that an external program returned are omitted.
  ///
  /// The graph must be resolved, and must not contain placeholders of filters that measure the
  /// photo.
  public func visibleParts(for photo: PhotoShape) -> [String: VisiblePart] {
    let pairs = outputs.compactMap { output in
      visiblePart(in: output.node, for: photo).map { (output.name, $0) }
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Maps positions in a node's frame to positions in the photo as stored, both 0…1.
  ///
  /// The graph must be resolved.
  ///
  /// Nil if the node was made from an image that an external program returned, not from the photo.
  func source(of node: ID, for photo: PhotoShape) -> Homography? {
    visiblePart(in: node, for: photo)?.place
  }

  /// The part of the photo that is visible in a node's frame.
  ///
  /// The graph must be resolved.
  ///
  /// Nil if the node was made from an image that an external program returned, not from the photo.
  private func visiblePart(in node: ID, for photo: PhotoShape) -> VisiblePart? {
    let sizes = sizes(for: photo)
    var part = VisiblePart(of: sizes[node])
    var (id, whole) = (node, Homography.scale(sizes[node]))
    while true {
      part.limit(toFrameAt: Homography.scale(sizes[id]).inverse.after(whole))
      guard let input = nodes[id].inputs.first else { break }
      whole = nodes[id].operation.source(from: sizes[input], to: sizes[id]).after(whole)
      id = input
    }
    guard case .original = nodes[id].operation else { return nil }
    return part
  }
}

extension Operation {
  /// Maps positions in the result of size `to` to positions in the input of size `from`, in pixels.
  func source(from: Size, to: Size) -> Homography {
    switch self {
    case .crop(let crop): .translation(crop.rectangle(in: from).corner)
    case .turn(let quarters): .turnedBack(quarters, to: from)
    case .flip(.horizontal): Homography([-1, 0, Double(from.width)], [0, 1, 0], [0, 0, 1])
    case .flip(.vertical): Homography([1, 0, 0], [0, -1, Double(from.height)], [0, 0, 1])
    case .resize(let resize):
      Homography.scale(from).after(resize.part.map).after(.scale(to).inverse)
    case .pad(let pad): .translation(-pad.placement(of: from).photo.corner)
    case .shadow(let shadow): .translation(-shadow.placement(of: from).photo.corner)
    case .warp(let warp): warp.resolved(for: from).map
    case .original, .orient, .program, .map, .measured, .area, .blend, .drawn, .external,
      .flatten, .replacement, .rolloff:
      .identity
    }
  }
}

extension Homography {
  /// Maps positions 0…1 to pixels.
  static func scale(_ size: Size) -> Homography {
    scale(Double(size.width), Double(size.height))
  }

  /// Maps positions in a frame that was turned clockwise to positions in the frame of `size` before
  /// the turn.
  fileprivate static func turnedBack(_ quarters: Int, to size: Size) -> Homography {
    let (width, height) = (Double(size.width), Double(size.height))
    return switch quarters {
    case 1: Homography([0, 1, 0], [-1, 0, height], [0, 0, 1])
    case 2: Homography([-1, 0, width], [0, -1, height], [0, 0, 1])
    case 3: Homography([0, -1, width], [1, 0, 0], [0, 0, 1])
    default: .identity
    }
  }
}

extension Orientation {
  /// The map from positions in the upright photo to positions in the photo as stored, both 0…1.
  public var stored: Homography {
    let turned = Homography.turnedBack(correction.quarterTurns, to: Size(1, 1))
    return correction.flip ? Homography([-1, 0, 1], [0, 1, 0], [0, 0, 1]).after(turned) : turned
  }
}

extension Rectangle {
  var corner: Homography.Point { Homography.Point(Double(left), Double(top)) }
}

extension Graph {
  /// Returns the node `input`, or, if it is a map that depends on the frame of `node`, a new map
  /// with the size of this frame and its position in the photo.
  mutating func placed(_ input: ID, in node: ID, for photo: PhotoShape) -> ID {
    guard case .map(let map) = nodes[input].operation, map.dependsOnFrame else { return input }
    let place = visiblePart(in: node, for: photo).map {
      AuxiliaryMap.Frame(part: $0, photo: photo.stored)
    }
    return append(.map(map.placed(in: sizes(for: photo)[node], place)))
  }
}

extension Placement {
  func flipped(_ axis: Operation.Axis) -> Placement {
    switch axis {
    case .horizontal: Placement(origin: origin + across, across: -across, down: down)
    case .vertical: Placement(origin: origin + down, across: across, down: -down)
    }
  }
}

extension PointProgram {
  public func flipped(_ axis: Operation.Axis) -> PointProgram { moved { $0.flipped(axis) } }
}
