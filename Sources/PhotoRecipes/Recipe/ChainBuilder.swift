/// Appends the steps of chains to a graph, with shoulders for colours above white.
///
/// The shoulder comes at the end of a chain. A step that adds colours of its own, such as a frame,
/// a text or another picture, or that is defined only for colours of 0…1, gets a shoulder before
/// it.
struct ChainBuilder {
  private(set) var graph: Graph
  private var brightest: [BrightestColour]

  init(_ graph: Graph) {
    self.graph = graph
    brightest = graph.brightestColours()
  }

  mutating func append(
    _ step: Step, after input: Graph.ID, _ rolloff: HighlightRolloff
  ) -> Graph.ID {
    let start = step.needsWhite ? end(input, rolloff) : input
    return step.append(to: &graph, after: start)
  }

  /// Adds a placeholder of a shoulder after the last node of a chain, or of a part of a chain, if
  /// colours may be above white there.
  mutating func end(_ node: Graph.ID, _ rolloff: HighlightRolloff) -> Graph.ID {
    if rolloff == .hard { return node }
    brightest = graph.brightestColours(after: brightest)
    let end = brightest[node]
    return end.isAboveWhite || end.isUnknown ? graph.append(.rolloff(), node) : node
  }

  mutating func addOutput(_ name: String, _ node: Graph.ID) { graph.addOutput(name, node) }
}

extension Step {
  /// True if the step may push colours above white, or bring colours that are above white back into
  /// range.
  var mayBrighten: Bool {
    if isIdentity { return false }
    return switch type(of: filter).category {
    case .geometry, .detail: blend != .normal
    case .tone, .colour, .effect, .composite: true
    }
  }

  /// True if the step adds colours of its own, or is defined only for colours of 0…1.
  fileprivate var needsWhite: Bool {
    if isIdentity { return false }
    return switch filter {
    case is Border, is PadFilter, is FrameFilter, is Lut: true
    default: type(of: filter).category == .composite || blend != .normal
    }
  }
}
