extension Graph {
  /// The lookup table files that the graph's point programs name, each once.
  public var lookups: [NamedFile] {
    var files: [NamedFile] = []
    for node in nodes {
      guard case .program(let program) = node.operation else { continue }
      for file in program.lookups where !files.contains(file) { files.append(file) }
    }
    return files
  }

  /// The same graph with the lookup tables inserted in its point programs; the keys of `tables` are
  /// the files' paths as the recipe writes them.
  public func looking(up tables: [String: LookupTable]) -> Graph {
    if tables.isEmpty { return self }
    return rebuilt { node, _, inputs, graph in
      var operation = node.operation
      if case .program(let program) = operation {
        operation = .program(program.looking(up: tables))
      }
      return graph.append(Node(operation: operation, inputs: inputs))
    }
  }
}

extension PointProgram {
  /// The lookup table files that the program names.
  var lookups: [NamedFile] {
    instructions.compactMap { if case .lookup(let file) = $0 { file } else { nil } }
  }

  fileprivate func looking(up tables: [String: LookupTable]) -> PointProgram {
    PointProgram(
      instructions.flatMap { instruction in
        guard case .lookup(let file) = instruction else { return [instruction] }
        return tables[file.path]?.instructions ?? [instruction]
      })
  }
}
