/// A filter that changes the base of a photo and the detail on it.
///
/// Consecutive filters of this kind on the same base become one instruction, with the base of the
/// photo before the first of them.
protocol LocalToneFilter: MeasuringFilter {
  var base: LocalBase { get }

  /// Returns the new tone for a tone of the base, and the gain of the detail on it.
  func sample(_ base: Double) -> LocalTone.Sample
}

extension LocalToneFilter {
  public static var space: WorkingSpace { .encoded }

  private var instruction: PointProgram.Instruction {
    .local(LocalTone(base) { sample($0) })
  }

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let map = graph.append(.map(.values(base.map(of: view))))
    let program = Operation.program(PointProgram([instruction]))
    return graph.append(Graph.Node(operation: program, inputs: [input, map]))
  }

  public func append(to graph: inout Graph, continuing input: Graph.ID) -> Graph.ID? {
    let node = graph.nodes[input]
    guard case .program(let program) = node.operation,
      case .local(let before) = program.instructions.last, before.base == base
    else { return nil }
    let map = node.inputs[1 + before.map]
    let next = Operation.program(PointProgram([instruction]))
    return graph.append(Graph.Node(operation: next, inputs: [input, map]))
  }
}
