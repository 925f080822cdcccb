extension Graph {
  /// True if a step keeps colours within a gamut.
  public var dependsOnGamut: Bool {
    nodes.contains { node in
      switch node.operation {
      case .program(let program): program.instructions.contains(where: \.dependsOnGamut)
      case .rolloff: true
      default: false
      }
    }
  }

  /// The graph whose steps keep the colours of each output within the output's gamut.
  ///
  /// Outputs of different gamuts share only the nodes before the first step that depends on the
  /// gamut. `gamuts` has the gamuts by the names of the outputs; the gamut of other outputs is
  /// sRGB.
  public func within(_ gamuts: [String: Gamut]) -> Graph {
    var graph = Graph()
    for output in outputs {
      let gamut = gamuts[output.name] ?? .sRGB
      var moved: [ID: ID] = [:]
      for id in reachable(from: [output.node]).sorted() {
        let node = nodes[id]
        moved[id] = graph.append(
          Node(
            operation: node.operation.within(gamut), inputs: node.inputs.compactMap { moved[$0] }))
      }
      graph.addOutput(output.name, moved[output.node] ?? 0)
    }
    return graph
  }
}

extension Operation {
  fileprivate func within(_ gamut: Gamut) -> Operation {
    switch self {
    case .program(let program):
      .program(PointProgram(program.instructions.map { $0.within(gamut) }))
    case .rolloff: .rolloff(within: gamut)
    default: self
    }
  }
}

extension PointProgram.Instruction {
  fileprivate var dependsOnGamut: Bool {
    guard case .colour(let function) = self else { return false }
    return function.dependsOnGamut
  }

  fileprivate func within(_ gamut: Gamut) -> Self {
    guard case .colour(let function) = self else { return self }
    return .colour(function.within(gamut))
  }
}
