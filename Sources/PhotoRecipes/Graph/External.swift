import Notation

/// A program that takes the photo on its stdin and gives one back on its stdout.
public struct External: Sendable, Hashable, CustomStringConvertible {
  /// The program, by a path or by a name for `PATH`, and its arguments.
  public var command: [String]
  /// Seconds until it is killed.
  public var timeout: Int
  /// True if the program may return a photo of another size.
  public var resizes: Bool

  public init(command: [String], timeout: Int, resizes: Bool) {
    self.command = command
    self.timeout = timeout
    self.resizes = resizes
  }

  public var program: String { command.first ?? "" }

  public var description: String {
    let words = JSON.array(command.map(JSON.string)).compactText
    return "\(words) within \(timeout) s\(resizes ? " resizes" : "")"
  }

  /// The name of the one output of the graph that makes what a program is given.
  public static let outputName = "external"
}

/// An image that a program gave back, which stands for all that was before it.
public struct Replacement: Sendable, Hashable, CustomStringConvertible {
  /// Counts the programs of one rendering, from 0.
  public var number: Int
  public var size: Size

  public init(number: Int, size: Size) {
    self.number = number
    self.size = size
  }

  public var description: String { "\(number), \(size)" }
}

extension Graph {
  /// The first step that a program does, with the graph of what it is given.
  ///
  /// The graph has one output, `external`.
  public var nextExternal: (node: ID, step: External, graph: Graph)? {
    for (id, node) in nodes.enumerated() {
      guard case .external(let step) = node.operation, let input = node.inputs.first else {
        continue
      }
      return (id, step, ending(at: input, as: External.outputName))
    }
    return nil
  }

  /// The same graph with a node that was left to a program replaced by what that gave back.
  public func replacing(_ node: ID, with replacement: Replacement) -> Graph {
    rebuilt { old, id, inputs, graph in
      id == node
        ? graph.append(.replacement(replacement))
        : graph.append(Node(operation: old.operation, inputs: inputs))
    }
  }
}
