extension Graph {
  /// The first node of a filter that still has to measure the photo, with the graph of the view
  /// (the reduced photo) that the filter measures; nil if no such node is left.
  ///
  /// The view's graph contains no such node. It has one output, `view`.
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

  /// The full size, in pixels, of the photo of which the graph measures a reduced copy.
  public func fullSize(for photo: PhotoShape) -> Size {
    guard let end = outputs.first?.node, let seen = nodes[end].inputs.first else {
      return photo.upright
    }
    let resolved = ending(at: seen, as: "full").resolved(for: photo)
    let sizes = resolved.sizes(for: photo)
    return resolved.outputs.first.map { sizes[$0.node] } ?? photo.upright
  }

  /// The same graph with a measuring node replaced by its filter's operations, if the preceding
  /// step has already measured all that this filter needs; nil if the filter must measure a view
  /// itself.
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

  /// The same graph with a node of the look `camera` replaced by its fitted look; nil means that
  /// the photo is too small for a fit, and gets the look `neutral`.
  public func replacing(_ node: ID, with look: FittedLook?) -> Graph {
    rebuilt { old, id, inputs, graph in
      guard id == node, case .measured(let step) = old.operation,
        let camera = step.operation as? CameraLook
      else { return graph.append(Node(operation: old.operation, inputs: inputs)) }
      return graph.append(Node(operation: .program(camera.program(look)), inputs: inputs))
    }
  }

  /// The same graph with a measuring node replaced by the operations that its filter derives from
  /// `view`, the reduced photo.
  public func replacing(_ node: ID, seeing view: PhotoView) -> Graph {
    rebuilt { old, id, inputs, graph in
      guard id == node, case .measured(let step) = old.operation, let input = inputs.first else {
        return graph.append(Node(operation: old.operation, inputs: inputs))
      }
      return step.operation.append(to: &graph, after: input, seeing: view)
    }
  }
}
