/// The operations that a recipe compiles to, as plain data.
///
/// A graph can be compared, hashed and printed; it needs neither a photo nor libvips. Equal
/// operations on equal inputs are one node, so a result that several outputs share is computed only
/// once. A node comes after its inputs.
public struct Graph: Sendable, Hashable {
  public typealias ID = Int

  public struct Node: Sendable, Hashable {
    public let operation: Operation
    public let inputs: [ID]
  }

  /// The last node of one output's chain, and the output's name.
  public struct Output: Sendable, Hashable {
    public let name: String
    public let node: ID
  }

  public private(set) var nodes: [Node] = []
  public private(set) var outputs: [Output] = []

  public init() {}

  /// Returns the node for `operation` on `inputs`: an existing equal node, or a new node.
  public mutating func append(_ operation: Operation, _ inputs: ID...) -> ID {
    append(Node(operation: operation, inputs: inputs))
  }

  /// Returns the node for `operation` on any number of inputs.
  package mutating func append(_ operation: Operation, reading inputs: [ID]) -> ID {
    append(Node(operation: operation, inputs: inputs))
  }

  mutating func append(_ node: Node) -> ID {
    // Compares inputs first: few nodes have the same inputs, and comparing operations is slow.
    let known = nodes.firstIndex { $0.inputs == node.inputs && $0.operation == node.operation }
    if let known { return known }
    nodes.append(node)
    return nodes.count - 1
  }

  /// Appends one point operation, computed in `space`.
  public mutating func append(
    _ instructions: [PointProgram.Instruction], in space: WorkingSpace, after input: ID
  ) -> ID {
    append(.program(PointProgram(space.entry + instructions + space.exit)), input)
  }

  public mutating func addOutput(_ name: String, _ node: ID) {
    outputs.append(Output(name: name, node: node))
  }

  /// For each node, the nodes that read it.
  var consumers: [[ID]] {
    var consumers = Array(repeating: [ID](), count: nodes.count)
    for (id, node) in nodes.enumerated() {
      for input in node.inputs { consumers[input].append(id) }
    }
    return consumers
  }

  /// For each node, the number of nodes and outputs that read it.
  public var uses: [Int] {
    var uses = consumers.map(\.count)
    for output in outputs { uses[output.node] += 1 }
    return uses
  }

  /// The part of the graph that `node` needs, followed by `operation` as the only output.
  func ending(with operation: Operation, after node: ID, as name: String) -> Graph {
    var graph = self
    let end = graph.append(operation, node)
    return graph.ending(at: end, as: name)
  }

  /// The part of the graph that `node` needs, with this node as the only output.
  func ending(at node: ID, as name: String) -> Graph {
    var graph = self
    graph.outputs = [Output(name: name, node: node)]
    return graph.pruned
  }

  /// The part of the graph that some of the outputs need; `numbers` are the outputs' indices.
  public func making(_ numbers: [Int]) -> Graph {
    var graph = self
    graph.outputs = numbers.map { outputs[$0] }
    return graph.pruned
  }

  /// A graph with the outputs of this graph and of another one, in the order of `names`.
  public func joined(with other: Graph, inOrder names: [String]) -> Graph {
    var graph = self
    var moved: [ID] = []
    for node in other.nodes {
      let inputs = node.inputs.map { moved[$0] }
      moved.append(graph.append(Node(operation: node.operation, inputs: inputs)))
    }
    let all = outputs + other.outputs.map { Output(name: $0.name, node: moved[$0.node]) }
    graph.outputs = names.compactMap { name in all.first { $0.name == name } }
    return graph
  }

  /// Builds a new graph, node by node.
  ///
  /// `transform` returns the new node for each old node; its arguments include the new graph and
  /// the IDs of the node's inputs in that graph. Nodes that no output needs are omitted.
  func rebuilt(_ transform: (Node, ID, [ID], inout Graph) -> ID) -> Graph {
    var graph = Graph()
    var moved: [ID: ID] = [:]
    let needed = reachable
    for (id, node) in nodes.enumerated() where needed.contains(id) {
      let inputs = node.inputs.compactMap { moved[$0] }
      moved[id] = transform(node, id, inputs, &graph)
    }
    for output in outputs {
      if let node = moved[output.node] { graph.addOutput(output.name, node) }
    }
    return graph.pruned
  }

  private var reachable: Set<ID> { reachable(from: outputs.map(\.node)) }

  /// The nodes that some nodes need, with these nodes themselves.
  func reachable(from ends: [ID]) -> Set<ID> {
    var found: Set<ID> = []
    var waiting = ends
    while let id = waiting.popLast() {
      if found.insert(id).inserted { waiting += nodes[id].inputs }
    }
    return found
  }

  /// The same graph without the nodes that no output needs.
  private var pruned: Graph {
    let needed = reachable
    if needed.count == nodes.count { return self }
    var graph = Graph()
    var moved: [ID: ID] = [:]
    for (id, node) in nodes.enumerated() where needed.contains(id) {
      moved[id] = graph.append(
        Node(operation: node.operation, inputs: node.inputs.compactMap { moved[$0] }))
    }
    for output in outputs { graph.addOutput(output.name, moved[output.node] ?? 0) }
    return graph
  }
}

extension Graph: CustomStringConvertible {
  /// The text that `phbatch explain` prints: one line for each node, then one for each output.
  public var description: String {
    let lines = nodes.enumerated().map { id, node in
      let inputs = node.inputs.map { " %\($0)" }.joined()
      let details = node.operation.details
      return "%\(id) = \(node.operation.name)\(inputs)\(details.isEmpty ? "" : "  \(details)")"
    }
    return (lines + outputs.map { "\($0.name) ← %\($0.node)" }).joined(separator: "\n")
  }
}
