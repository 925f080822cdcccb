extension Graph {
  /// The same graph with neighbouring programs made one, and blends of a program with its own input
  /// made part of it.
  public var fused: Graph { withBlendsInside.withProgramsJoined }

  private var withBlendsInside: Graph {
    rebuilt { node, _, inputs, graph in
      guard case .blend(let opacity) = node.operation, inputs.count == 2,
        case .program(let program) = graph.nodes[inputs[1]].operation,
        graph.nodes[inputs[1]].inputs == [inputs[0]]
      else { return graph.append(Node(operation: node.operation, inputs: inputs)) }
      let whole = PointProgram([.save] + program.instructions + [.mix(opacity: opacity)])
      return graph.append(.program(whole), inputs[0])
    }
  }

  private var withProgramsJoined: Graph {
    let uses = uses
    return rebuilt { node, _, inputs, graph in
      guard case .program(var program) = node.operation, let input = inputs.first else {
        return graph.append(Node(operation: node.operation, inputs: inputs))
      }
      var start = input
      if uses[node.inputs[0]] == 1, case .program(let first) = graph.nodes[input].operation {
        let second = program.instructions
        program = first
        program.append(second)
        start = graph.nodes[input].inputs[0]
      }
      return program.isIdentity ? start : graph.append(.program(program), start)
    }
  }
}
