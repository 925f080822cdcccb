import Notation

/// A program that reads the photo from stdin and writes a photo to stdout.
public struct External: Sendable, Hashable, CustomStringConvertible {
  /// The program, as a path or a name to find in `PATH`, and its arguments.
  public var command: [String]
  /// The time in seconds after which the program is killed.
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

  /// The name of the graph's output that is passed to the program, in the format `Output.handover`.
  public static let outputName = "external"
}

/// The image that an external program returned; it replaces the result of all steps up to that
/// program.
public struct Replacement: Sendable, Hashable, CustomStringConvertible {
  /// The index of the program within one rendering, from 0.
  public var number: Int
  public var size: Size

  public init(number: Int, size: Size) {
    self.number = number
    self.size = size
  }

  public var description: String { "\(number), \(size)" }
}

extension Graph {
  /// The first external step, its `node`, and the `graph` of the program's input; nil if no
  /// external step is left.
  ///
  /// That graph has one output, `external`.
  public var nextExternal: (node: ID, step: External, graph: Graph)? {
    for (id, node) in nodes.enumerated() {
      guard case .external(let step) = node.operation, let input = node.inputs.first else {
        continue
      }
      return (id, step, ending(at: input, as: External.outputName))
    }
    return nil
  }

  /// The same graph with an external node replaced by the image that the external program returned.
  public func replacing(_ node: ID, with replacement: Replacement) -> Graph {
    rebuilt { old, id, inputs, graph in
      id == node
        ? graph.append(.replacement(replacement))
        : graph.append(Node(operation: old.operation, inputs: inputs))
    }
  }
}
