public import Notation
import Synchronization

/// A recipe, resolved for use: every parameter, base recipe and override is applied.
public struct Recipe: Sendable {
  public var identifier: String
  public var version: SemanticVersion
  public var title: String?
  /// The name of the stack that the recipe keeps beside the photo's main stack; nil if it edits the
  /// main stack.
  public var variant: String?
  /// The image that a variant starts from.
  public var start = Start.original
  /// The adjustments that the recipe resumes; always includes those of its own version.
  public var handles: [HandledVersions]
  public var selection = Selection()
  /// The input formats that are read besides photos, and the pages or frames of a file to use.
  public var inputs = InputSettings()
  public var rendering = RenderingMode.balanced
  /// The treatment of light above white, for outputs without their own.
  public var rolloff = HighlightRolloff.soft { didSet { known = KnownGraph() } }
  /// The filters that are common to all outputs.
  public var steps: [Step] = [] { didSet { known = KnownGraph() } }
  public var outputs: [Output] = [] { didSet { known = KnownGraph() } }
  /// The groups of outputs that are one photo in several sizes, for a web page.
  public var webSets: [WebSet] = []
  /// The graph, once it is made for this recipe or a copy of it.
  var known = KnownGraph()

  public enum Start: String, Choice {
    case original, current
  }

  /// The last part of the identifier.
  public var shortName: String { Self.shortName(of: identifier) }

  /// The last part of an identifier.
  public static func shortName(of identifier: String) -> String {
    let bytes = identifier.utf8
    guard let end = bytes.lastIndex(where: { $0 != UInt8(ascii: ".") }) else { return identifier }
    let name = bytes[...end]
    let dot = name.lastIndex(of: UInt8(ascii: "."))
    return String(Substring(name[(dot.map(bytes.index(after:)) ?? name.startIndex)...]))
  }

  /// True if this recipe can resume an adjustment of `identifier` at `version`.
  public func canHandle(_ identifier: String, _ version: SemanticVersion) -> Bool {
    handles.contains { $0.contains(identifier, version) }
  }

  /// The operations of all outputs in the order of the recipe, before any pass of the optimiser
  /// moves or merges them.
  public var graph: Graph { known.graph(of: self) }

  fileprivate var newGraph: Graph {
    var graph = Graph()
    var shared = graph.append(.orient, graph.append(.original(shrink: 1)))
    var builder = ChainBuilder(graph)
    let start = shared
    for step in steps { shared = builder.append(step, after: shared, rolloff) }
    for output in outputs {
      let own = output.rolloff ?? rolloff
      var node = shared
      if own != rolloff {
        node = start
        for step in steps { node = builder.append(step, after: node, own) }
      }
      // Adds the shoulder before the output's steps if they cannot brighten colours, so that
      // several outputs share one shoulder.
      if !output.steps.contains(where: \.mayBrighten) { node = builder.end(node, own) }
      for step in output.steps { node = builder.append(step, after: node, own) }
      builder.addOutput(output.name, builder.end(node, own))
    }
    return builder.graph
  }

  /// True if a step uses the photo's own focal point.
  public var usesFocalPoint: Bool {
    (steps + outputs.flatMap(\.steps)).contains { step in
      guard !step.isIdentity, let crop = step.filter as? SmartCrop else { return false }
      return crop.usesFocalPoint
    }
  }

  /// The files that filters and outputs name, each once; a path that recipes of two folders name is
  /// two files.
  public var namedFiles: [NamedFile] {
    var files = graph.nodes.flatMap(\.operation.files)
    for output in outputs {
      if case .file(let file) = output.profile { files.append(file) }
    }
    var places: Set<[String]> = []
    return files.filter { places.insert([$0.path, $0.location]).inserted }
  }
}

/// The graph of a recipe, which is made when it is first needed and shared by the recipe's copies.
final class KnownGraph: Sendable {
  private let graph = Mutex<Graph?>(nil)

  fileprivate func graph(of recipe: Recipe) -> Graph {
    graph.withLock { known in
      if let known { return known }
      let graph = recipe.newGraph
      known = graph
      return graph
    }
  }
}
