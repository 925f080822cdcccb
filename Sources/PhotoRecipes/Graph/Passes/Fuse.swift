extension Graph {
  /// The same graph with shoulders and blends converted to programs, and with consecutive programs
  /// merged.
  public var fused: Graph {
    withShoulders.withLocalTonesJoined.withBlendsInside.withProgramsJoined
  }

  /// Merges consecutive changes of local tones on the same base, also if other nodes or outputs read
  /// the first change.
  ///
  /// The second change starts from the photo before both. Without the merge, an output of the first
  /// change, or the mask of the second, would alter the result of both.
  private var withLocalTonesJoined: Graph {
    rebuilt { node, _, inputs, graph in
      if case .program(let program) = node.operation, let start = inputs.first,
        case .program(let first) = graph.nodes[start].operation,
        program.continues(first, reading: inputs, after: graph.nodes[start].inputs),
        let joined = graph.node(joining: program, reading: inputs, to: first)
      {
        return graph.append(joined)
      }
      return graph.append(Node(operation: node.operation, inputs: inputs))
    }
  }

  /// Converts blends to point programs.
  ///
  /// If a blend lays the result of a point program over that program's input, the blend becomes
  /// part of the program. Any other blend becomes a program that reads the blend's second input as
  /// a layer.
  private var withBlendsInside: Graph {
    rebuilt { node, _, inputs, graph in
      guard case .blend(let blend) = node.operation, inputs.count == 2 else {
        return graph.append(Node(operation: node.operation, inputs: inputs))
      }
      let (base, top) = (inputs[0], inputs[1])
      if top == base && blend.mode == .normal { return base }
      var instructions = [PointProgram.Instruction.layer(0)]
      var images = [top]
      if top == base {
        (instructions, images) = ([], [])
      } else if case .program(let program) = graph.nodes[top].operation,
        graph.nodes[top].inputs.first == base
      {
        instructions = program.instructions
        images = Array(graph.nodes[top].inputs.dropFirst())
      }
      let whole = blend.program(around: instructions, firstImage: images.count)
      for map in whole.maps { images.append(graph.append(.map(map))) }
      let program = Operation.program(PointProgram(whole.instructions))
      return graph.append(Node(operation: program, inputs: [base] + images))
    }
  }

  private var withProgramsJoined: Graph {
    let uses = uses
    return rebuilt { node, _, inputs, graph in
      var whole = Node(operation: node.operation, inputs: inputs)
      guard case .program(let program) = node.operation, let start = inputs.first else {
        return graph.append(whole)
      }
      if uses[node.inputs[0]] == 1, case .program(let first) = graph.nodes[start].operation,
        let joined = graph.node(joining: program, reading: inputs, to: first)
      {
        whole = joined
      }
      if case .program(let program) = whole.operation, program.isIdentity {
        return whole.inputs[0]
      }
      return graph.append(whole)
    }
  }

  /// The node of `first`, the program of the first of the nodes `inputs`, followed by `program`, which
  /// reads `inputs`; nil if both programs together would read too many images.
  private func node(
    joining program: PointProgram, reading inputs: [ID], to first: PointProgram
  ) -> Node? {
    let earlier = nodes[inputs[0]].inputs
    if earlier.count + inputs.count > PointProgram.mostImages + 2 { return nil }
    var all = Array(earlier.dropFirst())
    let numbers = inputs.dropFirst().map { image in
      if let known = all.firstIndex(of: image) { return known }
      all.append(image)
      return all.count - 1
    }
    let both = first.followed(by: program.renumbered { numbers[$0] })
    return Node(operation: .program(both), inputs: [earlier[0]] + all)
  }
}

extension PointProgram {
  /// True if the program begins with a change of local tones on the base of the change with which
  /// `before` ends; `inputs` and `earlier` are the nodes that the two programs read.
  fileprivate func continues(
    _ before: PointProgram, reading inputs: [Graph.ID], after earlier: [Graph.ID]
  ) -> Bool {
    guard case .local(let first) = before.instructions.last,
      case .local(let second) = instructions.first
    else { return false }
    return first.base == second.base && first.placement == second.placement
      && earlier[1 + first.map] == inputs[1 + second.map]
  }
}
