/// The order in which an operation reads its input.
public enum Access: String, Sendable {
  /// Rows are read from top to bottom, each once: the photo streams.
  case sequential
  /// Any row can be read at any time: the whole input is materialized.
  case random
}

extension Operation {
  /// The order in which the operation reads its input.
  public var access: Access {
    switch self {
    case .turn, .flip(.vertical), .orient, .external: .random
    case .warp(let warp): warp.rowSpan <= Warp.streamedSpan ? .sequential : .random
    case .original, .program, .map, .measured, .crop, .flip(.horizontal), .resize, .pad, .area,
      .blend, .drawn, .flatten, .shadow, .replacement, .rolloff:
      .sequential
    }
  }
}

extension Graph {
  /// The nodes that are materialized: nodes after which the outputs' chains differ, inputs that an
  /// operation reads in random order, and images whose rows a point program still needs long after
  /// an area operation has read them.
  public var heldNodes: Set<ID> { branchNodes.union(nodesReadAnyhow) }

  /// The nodes after which the outputs' chains differ, if all operations read them once, from top
  /// to bottom.
  public var sharedNodes: Set<ID> { branchNodes.subtracting(nodesReadAnyhow) }

  /// The nodes that an operation reads in another order than from top to bottom, or with a long
  /// delay.
  private var nodesReadAnyhow: Set<ID> {
    var read = nodesReadLate
    for node in nodes where node.operation.access == .random { read.formUnion(node.inputs) }
    return read
  }

  /// The last nodes that several outputs share: after them the outputs' chains differ.
  var branchNodes: Set<ID> {
    var reach = Array(repeating: Set<Int>(), count: nodes.count)
    for (index, output) in outputs.enumerated() { reach[output.node].insert(index) }
    for (id, node) in nodes.enumerated().reversed() {
      for input in node.inputs { reach[input].formUnion(reach[id]) }
    }
    let consumers = consumers
    let ends = outputs.map(\.node)
    return Set(
      nodes.indices.filter { id in
        reach[id].count > 1 && !isMap(id)
          && (ends.contains(id) || consumers[id].contains { reach[$0] != reach[id] })
      })
  }

  /// The maximum distance in rows between two readers of a photo that streams.
  static let streamedReach = 32

  /// The nodes whose rows a point program reads long after an area operation has read them: the
  /// point program lays the result of the area operation over the node's image.
  private var nodesReadLate: Set<ID> {
    var late: Set<ID> = []
    for node in nodes {
      guard case .program(let program) = node.operation, program.hasLayers,
        let base = node.inputs.first
      else { continue }
      let ahead = node.inputs.dropFirst().compactMap { reach(of: $0, into: base) }.max() ?? 0
      if ahead > Self.streamedReach { late.insert(base) }
    }
    return late
  }

  /// The maximum distance, in pixels of `base`, between a pixel of `node` and the pixels of `base`
  /// that are read before it is computed; nil if `node` does not depend on `base`.
  private func reach(of node: ID, into base: ID) -> Int? {
    if node <= base { return node == base ? 0 : nil }
    let before = nodes[node].inputs.compactMap { reach(of: $0, into: base) }.max()
    guard case .area(let area) = nodes[node].operation else { return before }
    return before.map { $0 + area.reach + area.kernel.rowsTogether }
  }

  private func isMap(_ id: ID) -> Bool {
    if case .map = nodes[id].operation { true } else { false }
  }
}
