/// Outputs with light above white.
extension Recipe {
  /// The operations of all outputs as they are rendered: outputs for HDR displays have no shoulder
  /// for light above white.
  ///
  /// Outputs that follow those of the recipe have the light of renditions with new gain maps.
  ///
  /// `develop` adds what a photo needs to a graph; its second argument is true for the graph of the
  /// outputs for HDR displays.
  public func graph<Failure: Error>(
    developing develop: (Graph, Bool) throws(Failure) -> Graph
  ) throws(Failure) -> Graph {
    guard let bright else { return try develop(graph, false) }
    var standard = self
    standard.outputs = outputs.filter { $0.hdr == nil }
    let wide = try develop(bright.graph.measuredForHDR, true)
    if standard.outputs.isEmpty { return wide }
    return try develop(standard.graph, false).joined(with: wide, inOrder: renderedNames)
  }

  /// The operations of all outputs as they are rendered, before a photo is known.
  public var renderedGraph: Graph { graph { graph, _ in graph } }

  /// The names of all outputs of the rendered graph, which has those with light at its end.
  private var renderedNames: [String] {
    outputs.map(\.name) + outputs.filter(\.rebuildsGainMap).map { Output.lightName($0.name) }
  }

  /// The recipe with the outputs that need light above white, which have no shoulder; nil if there
  /// are none.
  private var bright: Recipe? {
    var bright = self
    bright.outputs =
      outputs.filter { $0.hdr != nil } + outputs.filter(\.rebuildsGainMap).map(\.light)
    for index in bright.outputs.indices { bright.outputs[index].rolloff = nil }
    bright.rolloff = .hard
    return bright.outputs.isEmpty ? nil : bright
  }
}

extension Graph {
  /// The same graph, whose measuring steps are for outputs with light above white.
  fileprivate var measuredForHDR: Graph {
    rebuilt { node, _, inputs, graph in
      var operation = node.operation
      if case .measured(let step) = operation {
        operation = .measured(MeasuredStep(step.operation, isHDR: true))
      }
      return graph.append(Node(operation: operation, inputs: inputs))
    }
  }
}

extension Output {
  /// The same output, as the one with its light.
  fileprivate var light: Output {
    var light = self
    light.name = Self.lightName(name)
    return light
  }
}
