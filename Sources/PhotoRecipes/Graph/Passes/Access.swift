/// The order in which an operation reads its input.
public enum Access: String, Sendable {
  /// Rows from top to bottom, each once: the photo streams.
  case sequential
  /// Any row at any time: the input is held whole.
  case random
}

extension Operation {
  /// The order in which the operation reads its input.
  public var access: Access {
    switch self {
    case .turn, .flip(.vertical), .orient, .external: .random
    case .warp(let warp): warp.rowSpan <= Warp.streamedSpan ? .sequential : .random
    case .original, .program, .map, .measured, .crop, .flip(.horizontal), .resize, .pad, .area,
      .blend, .drawn, .flatten, .shadow, .replacement:
      .sequential
    }
  }
}

extension Graph {
  /// The nodes whose pixels are held whole: what an operation reads at random, what several outputs
  /// go on from, and what the result of a wide area operation is laid on.
  public var heldNodes: Set<ID> { branchNodes.union(nodesReadAnyhow) }

  /// The branch nodes that every output behind them reads once, from the top down.
  public var sharedNodes: Set<ID> { branchNodes.subtracting(nodesReadAnyhow) }

  /// The nodes that an operation reads in another order than from the top down, or late.
  private var nodesReadAnyhow: Set<ID> {
    var read = nodesReadLate
    for node in nodes where node.operation.access == .random { read.formUnion(node.inputs) }
    return read
  }

  /// The last nodes that several outputs share.
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

  /// The most rows that a photo which streams can be read behind another reader of it.
  static let streamedReach = 32

  /// The nodes that a program reads at a pixel when an area operation has long read past it, to lay
  /// its result there.
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

  /// The largest distance in `base` of the pixels that one pixel of `node` is computed from; nil if
  /// there are none.
  private func reach(of node: ID, into base: ID) -> Int? {
    if node <= base { return node == base ? 0 : nil }
    let before = nodes[node].inputs.compactMap { reach(of: $0, into: base) }.max()
    guard case .area(let area) = nodes[node].operation else { return before }
    return before.map { $0 + area.reach }
  }

  private func isMap(_ id: ID) -> Bool {
    if case .map = nodes[id].operation { true } else { false }
  }
}
