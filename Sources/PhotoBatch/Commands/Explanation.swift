import Notation
import PhotoLibrary
public import PhotoRecipes
import PhotoRender
public import SystemPackage

public enum ExplanationFormat: String, Sendable, CaseIterable {
  case text, json, dot
}

/// The compilation of a recipe: its graph as written, and its graph after operations are merged.
///
/// With a photo, the recipe has the photo's own settings, and the explanation also contains the
/// graph and the libvips operations that render the photo.
public struct Explanation: Sendable {
  private let recipe: Recipe
  private let settings: [(place: String, value: String, origin: String)]
  private var planned: String?
  private var pipeline: String?
  private var needs: MemoryNeeds?
  private var photo: PhotoSummary?
  /// The plan of a run for the photo; nil if the photo is in no library.
  private var plan: PhotoPlan?

  /// Creates the explanation.
  ///
  /// `options` contains the limits for the photo and for the recipe's images, and the time limit
  /// for reading them.
  public init(
    recipe path: FilePath, photo: FilePath?, assignments: [Assignment],
    options: BatchOptions = BatchOptions()
  ) async throws {
    let document = try RecipeDocument(contentsOf: path)
    let shared = try document.recipe(assignments: assignments).recipe
    let own = photo.map { Self.ownSettings(of: $0, for: shared) } ?? []
    let personal = Self.recipe(shared, with: own, of: document, assignments)
    recipe = personal ?? shared
    settings = document.settings(of: recipe, assignments, own: personal == nil ? [] : own)
    guard let photo else { return }
    var options = options
    options.assignments = assignments
    try await read(photo, document, options)
    plan = try await Self.plan(photo, document, options)
  }

  /// The photo's own settings in its sidecar; empty if the photo is in no library.
  private static func ownSettings(of photo: FilePath, for recipe: Recipe) -> [Assignment] {
    let known = try? PhotoHistory.read([photo]).first?.sidecar
    let own = known?.ownSettings(for: recipe) ?? JSON.Object()
    return own.members.map { Assignment(key: $0.key, value: $0.value) }
  }

  /// The recipe with the photo's own settings; nil if a run refuses them.
  ///
  /// A run refuses settings that are invalid, or that need other files or programs than the recipe;
  /// the plan of a run says so.
  private static func recipe(
    _ shared: Recipe, with own: [Assignment], of document: RecipeDocument,
    _ assignments: [Assignment]
  ) -> Recipe? {
    guard
      let personal = try? document.recipe(overrides: own, assignments: assignments).recipe,
      ForbiddenSettings(
        in: own, personal, of: document, assignments,
        files: Set(shared.namedFiles.map(\.path)), programs: shared.externalSteps.map(\.step))
        == nil
    else { return nil }
    return personal
  }

  /// Gets the photo's size, its graph, libvips operations and memory needs from a worker.
  private mutating func read(
    _ path: FilePath, _ document: RecipeDocument, _ options: BatchOptions
  ) async throws {
    let thread = WorkerThread(alone: options, needsFonts: recipe.needsFonts)
    let named = try await thread.open(recipe, document, options).entries.sorted { $0.key < $1.key }
    var order = WorkOrder(recipe: recipe)
    order.limits = options.limits
    order.files = named.map(\.key)
    order.canAskForFilms = thread.worker.films != nil
    let file = try OneFile(path).open()
    let film = try film(beside: path)
    order.hasFilm = film != nil
    let files = [file] + named.map(\.value.file) + [film].compactMap(\.self)
    let reply = await thread.askAll([.explain(order)], files, time: options.timeout).first
    guard case .explained(let summary, let graph, let pipeline, let needs)? = try reply?.get()
    else { return }
    (photo, planned, self.pipeline, self.needs) = (summary, graph, pipeline, needs)
  }

  /// The film of a Live Photo; nil if there is none, or if the recipe keeps no film.
  private func film(beside path: FilePath) throws -> OpenFile? {
    guard recipe.outputs.contains(where: recipe.keepsFilm), let name = path.lastComponent else {
      return nil
    }
    let folder = path.removingLastComponent()
    let library = try RealFileSystem(root: folder.isEmpty ? "." : folder)
    return try PairedFilms(in: library).film(ofPhotoAt: FilePath(root: nil, [name]))
      .map { try library.open($0) }
  }

  private static func plan(
    _ photo: FilePath, _ document: RecipeDocument, _ options: BatchOptions
  ) async throws -> PhotoPlan? {
    guard let named = try? PhotoPaths([photo]), let path = named.paths.first else { return nil }
    var options = options
    options.photos = [path]
    options.output = named.root.isMirror ? named.root.files.path : nil
    let batch = try Batch(document, library: named.root.library.path, options: options)
    let outcomes = Outcomes()
    _ = try await batch.plan(around: [path.removingLastComponent()], outcomes.add)
    return outcomes.all[path]?.plan
  }

  public func text(_ format: ExplanationFormat) -> String {
    switch format {
    case .text: plainText
    case .json: json.canonicalText
    case .dot: recipe.renderedGraph.fused.dot
    }
  }

  private var plainText: String {
    var text = "\(recipe.identifier) \(recipe.version), rendering \(recipe.rendering.rawValue)\n"
    for (id, step) in recipe.externalSteps {
      text += "not reproducible: the step '\(id)' runs \(step)\n"
    }
    text += "\nSettings\n"
    for setting in settings {
      text += "  \(setting.place) = \(setting.value)  (\(setting.origin))\n"
    }
    text += "\nRecipe graph\n\(recipe.renderedGraph.indented)"
    text += "\nOptimised graph, for any photo\n\(recipe.renderedGraph.fused.indented)"
    if let plan { text += "\nPlan of a run\n\("\(plan)".indented)" }
    guard let planned, let pipeline, let photo else { return text }
    text += "\nGraph for this photo, \(photo.size) pixels upright\n\(planned.indented)"
    text += "\nlibvips pipeline\n\(pipeline.indented)"
    for lens in photo.lenses { text += "\nLens\n\(lens.text.indented)" }
    if !photo.planWarnings.isEmpty {
      text += "\nWarnings\n\(photo.planWarnings.joined(separator: "\n").indented)"
    }
    if let needs {
      text += "\nPredicted peak memory of its worker\n  \(needs.usual.megabytes), or"
      text += " \(needs.spilled.megabytes) if completely buffered images are in temporary files\n"
    }
    return text
  }

  private var json: JSON {
    var object = JSON.Object()
    object["identifier"] = .string(recipe.identifier)
    object["version"] = .string("\(recipe.version)")
    object["rendering"] = .string(recipe.rendering.rawValue)
    object["reproducible"] = .bool(recipe.externalSteps.isEmpty)
    object["settings"] = .array(
      settings.map {
        .object([
          "setting": .string($0.place), "value": .string($0.value), "origin": .string($0.origin),
        ])
      })
    object["recipeGraph"] = recipe.renderedGraph.json
    object["optimisedGraph"] = recipe.renderedGraph.fused.json
    object["photoGraph"] = planned.map { .array($0.lines) }
    object["pipeline"] = pipeline.map { .array($0.lines) }
    object["memory"] = needs?.json
    object["plan"] = (plan?.members).map(JSON.object)
    if let photo {
      if !photo.lenses.isEmpty { object["lenses"] = .array(photo.lenses.map(\.json)) }
      if !photo.planWarnings.isEmpty {
        object["warnings"] = .array(photo.planWarnings.map(JSON.string))
      }
      object["photo"] = .object([
        "width": .integer(photo.size.width), "height": .integer(photo.size.height),
      ])
    }
    return .object(object)
  }
}

extension FoundLens {
  /// The lens, its known corrections, and how the lens was found, with one line for each.
  fileprivate var text: String {
    let known = profile.known.isEmpty ? "nothing" : profile.known.joined(separator: ", ")
    let date = profile.database.isEmpty ? "" : " of \(profile.database)"
    return """
      \(profile.lens), on \(profile.camera)
      the database\(date) knows its \(known)
      found by \(facts.json.compactText)
      profile \(profile.json.compactText)
      """
  }
}

extension Graph {
  /// The graph in the DOT language of Graphviz.
  public var dot: String {
    func quoted(_ text: String) -> String {
      let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "\"\(escaped)\""
    }
    var lines = ["digraph recipe {", "  rankdir=LR; node [shape=box, fontname=\"sans-serif\"];"]
    for (id, node) in nodes.enumerated() {
      let details = node.operation.details
      lines.append(
        "  n\(id) [label=\(quoted(node.operation.name + (details.isEmpty ? "" : "\n" + details)))];"
      )
      lines += node.inputs.map { "  n\($0) -> n\(id);" }
    }
    for output in outputs {
      lines.append("  \(quoted(output.name)) [shape=ellipse];")
      lines.append("  n\(output.node) -> \(quoted(output.name));")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  var json: JSON {
    let held = heldNodes
    return .object([
      "nodes": .array(
        nodes.enumerated().map { id, node in
          .object([
            "id": .integer(id), "operation": .string(node.operation.name),
            "details": .string(node.operation.details),
            "inputs": .array(node.inputs.map(JSON.integer)),
            "access": .string(node.operation.access.rawValue), "held": .bool(held.contains(id)),
          ])
        }),
      "outputs": .array(
        outputs.map { .object(["name": .string($0.name), "node": .integer($0.node)]) }),
    ])
  }

  fileprivate var indented: String { description.indented }
}

extension String {
  fileprivate var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
  }

  fileprivate var lines: [JSON] { split(separator: "\n").map { .string(String($0)) } }
}
