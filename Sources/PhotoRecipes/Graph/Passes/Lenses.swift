extension Graph {
  /// The lens corrections that the graph's steps need, each once.
  public var lensCorrections: [LensCorrection] {
    var found: [LensCorrection] = []
    for case .warp(let warp) in nodes.map(\.operation) {
      if case .lens(let correction) = warp.change, !found.contains(correction) {
        found.append(correction)
      }
    }
    return found
  }

  /// The same graph with the profiles of the lenses; a correction without a profile has no effect.
  public func corrected(_ profile: (LensCorrection) -> LensProfile?) -> Graph {
    if lensCorrections.isEmpty { return self }
    return rebuilt { node, _, inputs, graph in
      guard case .warp(var warp) = node.operation, case .lens(var correction) = warp.change else {
        return graph.append(Node(operation: node.operation, inputs: inputs))
      }
      correction.profile = profile(correction)
      warp.change = .lens(correction)
      return graph.append(.warp(warp), inputs[0])
    }
  }

  /// Appends the correction of a lens to a resolved graph.
  ///
  /// The brightness is corrected first, because it depends on the position in the photo; then the
  /// positions of the pixels are corrected.
  mutating func appendCorrection(
    _ warp: Warp, _ input: ID, of size: Size, _ photo: PhotoShape
  ) -> ID {
    guard case .lens(let correction) = warp.change,
      let map = correction.map(of: photo.stored).map({ seen($0, in: input, size, photo) })
    else { return input }
    var node = input
    if let falloff = correction.falloff(map, size) {
      node = append([.falloff(falloff)], in: .linear, after: node)
    }
    if map.isIdentity && correction.scale ?? 1 == 1 { return node }
    var resolved = warp
    let scale = correction.scale ?? map.fillingScale(size)
    let end = Homography.Point(Double(size.width), Double(size.height))
    let zoom = Homography.translation(map.centre)
      .after(.scale(1 / scale, 1 / scale)).after(.translation(-map.centre))
    resolved.lens = map
    resolved.lens?.frame = LensMap.Frame(low: zoom([0, 0]), high: zoom(end))
    resolved.change = .pixels(zoom, from: size, to: size)
    return append(.warp(resolved), node)
  }

  /// The map in the pixels of the node's image.
  ///
  /// If the node's image is not a part of the photo, the image is corrected as if it were the
  /// photo.
  private func seen(
    _ map: LensMap, in node: ID, _ size: Size, _ photo: PhotoShape
  ) -> LensMap {
    func scale(_ size: Size) -> Homography {
      .scale(Double(size.width), Double(size.height))
    }
    let place = source(of: node, for: photo)
      .map { scale(photo.stored).after($0).after(scale(size).inverse) }
    if let part = place.flatMap({ map.seen(through: $0) }) { return part }
    let whole = scale(photo.upright).after(scale(size).inverse)
    return map.seen(through: whole) ?? map
  }

  /// The same resolved graph with each warp after the correction of a lens merged into it, so that
  /// the photo is resampled once.
  func withLensWarpsJoined() -> Graph {
    let uses = uses
    return rebuilt { node, _, inputs, graph in
      guard case .warp(let second) = node.operation, let input = inputs.first,
        uses[node.inputs[0]] == 1, case .warp(let first) = graph.nodes[input].operation,
        let joined = first.joined(to: second), let source = graph.nodes[input].inputs.first
      else { return graph.append(Node(operation: node.operation, inputs: inputs)) }
      return graph.append(.warp(joined), source)
    }
  }
}

extension Warp {
  /// True for a correction of the lens that is not yet in pixels.
  var correctsLens: Bool { if case .lens = change { true } else { false } }

  /// A single warp with the result of this correction of the lens followed by `next`; nil if there
  /// is none.
  fileprivate func joined(to next: Warp) -> Warp? {
    guard lens != nil, next.lens == nil, case .pixels(let map, let from, _) = change,
      case .pixels(let later, _, let to) = next.change
    else { return nil }
    let (showsOwn, showsNext) = (keeping == .all, next.keeping == .all)
    if showsOwn && showsNext && colour != next.colour { return nil }
    var joined = self
    joined.change = .pixels(map.after(later), from: from, to: to)
    joined.keeping = showsOwn || showsNext ? .all : .shape
    joined.colour = showsOwn ? colour : next.colour
    return joined
  }
}
