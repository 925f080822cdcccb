extension Graph {
  /// The same graph with shoulders and blends converted to programs, and with consecutive programs
  /// merged.
  public var fused: Graph { withShoulders.withBlendsInside.withProgramsJoined }

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
      guard case .program(var program) = node.operation, var start = inputs.first else {
        return graph.append(Node(operation: node.operation, inputs: inputs))
      }
      var images = Array(inputs.dropFirst())
      if uses[node.inputs[0]] == 1, case .program(let first) = graph.nodes[start].operation,
        graph.nodes[start].inputs.count + images.count <= PointProgram.mostImages + 1
      {
        let earlier = graph.nodes[start].inputs
        var all = Array(earlier.dropFirst())
        let numbers = images.map { image in
          if let known = all.firstIndex(of: image) { return known }
          all.append(image)
          return all.count - 1
        }
        program = first.followed(by: program.renumbered { numbers[$0] })
        images = all
        start = earlier[0]
      }
      if program.isIdentity { return start }
      return graph.append(Node(operation: .program(program), inputs: [start] + images))
    }
  }
}
