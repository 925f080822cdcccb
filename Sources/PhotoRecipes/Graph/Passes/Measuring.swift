extension Graph {
  /// The first node that waits to see the photo, with the graph of what it sees.
  ///
  /// Nothing that it sees waits itself. The graph has one output, `view`.
  public func nextView(
    for rendering: RenderingMode
  ) -> (node: ID, step: MeasuredStep, graph: Graph)? {
    for (id, node) in nodes.enumerated() {
      guard case .measured(let step) = node.operation, let input = node.inputs.first else {
        continue
      }
      let type = Swift.type(of: step.operation)
      let isWhole = rendering == .exact && type.seesEverythingIfExact
      let edge = Length.pixels(isWhole ? .max : type.viewEdge)
      return (id, step, ending(with: .resize(Resize(.longEdge(edge))), after: input, as: "view"))
    }
    return nil
  }

  /// The size of what a view reduces.
  public func fullSize(for photo: PhotoShape) -> Size {
    guard let end = outputs.first?.node, let seen = nodes[end].inputs.first else {
      return photo.upright
    }
    let resolved = ending(at: seen, as: "full").resolved(for: photo)
    let sizes = resolved.sizes(for: photo)
    return resolved.outputs.first.map { sizes[$0.node] } ?? photo.upright
  }

  /// The same graph with a node that waited replaced by what its filter does with what the step
  /// before it measured; nil where it must look.
  public func continuing(_ node: ID) -> Graph? {
    var continues = false
    let continued = rebuilt { old, id, inputs, graph in
      if id == node, case .measured(let step) = old.operation, let input = inputs.first,
        let result = step.operation.append(to: &graph, continuing: input)
      {
        continues = true
        return result
      }
      return graph.append(Node(operation: old.operation, inputs: inputs))
    }
    return continues ? continued : nil
  }

  /// The same graph with a node that waited replaced by what its filter does.
  public func replacing(_ node: ID, seeing view: PhotoView) -> Graph {
    rebuilt { old, id, inputs, graph in
      guard id == node, case .measured(let step) = old.operation, let input = inputs.first else {
        return graph.append(Node(operation: old.operation, inputs: inputs))
      }
      return step.operation.append(to: &graph, after: input, seeing: view)
    }
  }
}
