/// Appends the steps of chains to a graph, with shoulders for colours above white.
///
/// The shoulder comes at the end of a chain. A step that adds colours of its own, such as a frame,
/// a text or another picture, or that is defined only for colours of 0…1, gets a shoulder before
/// it. A step that acts only on a part of the photo gets a shoulder of its own, down to the white
/// before it, so that it does not darken white elsewhere.
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
    let isUncertain = step.isPartial && brightest(of: input).isUnknown
    let start = step.needsWhite || isUncertain ? end(input, rolloff) : input
    if step.isIdentity { return start }
    var result = step.result(in: &graph, after: start)
    if step.isPartial && rolloff == .soft { result = held(result, to: start) }
    return step.mixed(result, over: start, in: &graph)
  }

  private mutating func brightest(of node: Graph.ID) -> BrightestColour {
    brightest = graph.brightestColours(after: brightest)
    return brightest[node]
  }

  /// Adds a placeholder of a shoulder after a step, down to the white before the step, if the step
  /// may push colours above that white.
  private mutating func held(_ result: Graph.ID, to input: Graph.ID) -> Graph.ID {
    let (before, after) = (brightest(of: input), brightest(of: result))
    let white = max(1, before.white)
    guard after.isUnknown || after.white > white * BrightestColour.least else { return result }
    let light = Curve.decode(white)
    if light <= 1 { return graph.append(.rolloff(), result) }
    func scaled(_ gain: Double, _ node: Graph.ID) -> Graph.ID {
      graph.append([.matrix(.diagonal(.init(repeating: gain)))], in: .linear, after: node)
    }
    return scaled(light, graph.append(.rolloff(), scaled(1 / light, result)))
  }

  /// Adds a placeholder of a shoulder after the last node of a chain, or of a part of a chain, if
  /// colours may be above white there.
  mutating func end(_ node: Graph.ID, _ rolloff: HighlightRolloff) -> Graph.ID {
    if rolloff == .hard { return node }
    let end = brightest(of: node)
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

  /// True if a mask or an opacity limits the step to a part of the photo or of its effect.
  fileprivate var isPartial: Bool { blend == .normal && (mask != nil || opacity < 1) }

  /// True if the step adds colours of its own, or is defined only for colours of 0…1.
  fileprivate var needsWhite: Bool {
    if isIdentity { return false }
    return switch filter {
    case is Border, is PadFilter, is FrameFilter, is Lut: true
    default: type(of: filter).category == .composite || blend != .normal
    }
  }
}
