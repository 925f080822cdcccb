import Notation

extension Recipe {
  static let keys = [
    "$schema", "identifier", "version", "title", "comment", "extends", "variant", "from", "handles",
    "parameters", "select", "inputs", "rendering", "highlights", "filters", "outputs",
  ]

  /// The maximum number of outputs: all output files and named files are open while a photo is
  /// rendered, and a worker supports 253 at a time.
  static let mostOutputs = 200
  static let mostFiles = 50
  /// The maximum number of steps in one chain: far more than any user writes, and few enough that a
  /// wrongly generated recipe does not take excessive time.
  static let mostSteps = 1000

  /// Reads a recipe after its layers are merged and its parameters are inserted.
  init?(_ field: Field, _ diagnostics: inout Diagnostics) {
    guard diagnostics.expectObject(field, "a recipe, in braces") else { return nil }
    var reader = ObjectReader(field, "recipe", &diagnostics)
    reader.rejectUnknown(known: Self.keys)
    _ = reader.read("$schema", as: .text, String.self)
    identifier = reader.require("identifier", as: .text) ?? ""
    if identifier.count > RecipeIdentifier.longest {
      let expected = "at most \(RecipeIdentifier.longest)"
      reader.report(
        .wrongCount(identifier.count, of: "character", expected: expected), "identifier")
    } else if field["identifier"]?.json.string != nil && !RecipeIdentifier.isValid(identifier) {
      reader.report(
        .malformed(found: "\"\(identifier)\"", expected: RecipeIdentifier.expectation), "identifier"
      )
    }
    let versionText: String? = reader.require("version", as: .text)
    let version = versionText.flatMap { SemanticVersion($0) }
    if let versionText, version == nil {
      let expected = "a semantic version such as \"1.0.0\""
      reader.report(.malformed(found: "\"\(versionText)\"", expected: expected), "version")
    }
    self.version = version ?? SemanticVersion(major: 0, minor: 0, patch: 0)
    title = reader.read("title", as: .text)
    _ = reader.read("comment", as: .text, String.self)
    variant = reader.read("variant", as: .text)
    if let variant, !Identifier.isPlain(variant) {
      reader.report(
        .malformed(found: "\"\(variant)\"", expected: Identifier.expectation), "variant")
    }
    start = reader.read("from", as: Start.kind) ?? .original
    if start == .current && variant == nil {
      let remedy =
        "add \"variant\", or remove 'from'; a recipe without a variant edits the photo itself"
      reader.report(.contradiction("\"from\": \"current\" needs a variant", remedy: remedy), "from")
    }
    if let inputs = field["inputs"] {
      self.inputs = InputSettings(inputs, &reader.diagnostics)
    }
    rendering = reader.read("rendering", as: RenderingMode.kind) ?? .balanced
    rolloff = reader.readHighlights() ?? .soft
    handles = Self.handles(&reader)
    // Otherwise each run would stack another edit by this recipe on the last one.
    if !canHandle(identifier, self.version) {
      handles.append(HandledVersions(identifier: identifier, compatibleWith: self.version))
    }
    if let select = field["select"] { selection = Selection(select, &reader.diagnostics) }
    steps = Self.steps("filters", &reader)
    let fields = reader.elements("outputs", expected: "an array of outputs")
    if field["outputs"] == nil {
      reader.report(.missingKey("outputs", in: "the recipe"), "outputs")
    } else if field["outputs"]?.json.array?.isEmpty == true {
      let remedy = "add one, such as {\"name\": \"web\", \"format\": \"jpeg\"}"
      reader.report(.contradiction("the recipe has no output", remedy: remedy), "outputs")
    } else if fields.count > Self.mostOutputs {
      let expected = "at most \(Self.mostOutputs)"
      reader.report(.wrongCount(fields.count, of: "output", expected: expected), "outputs")
    }
    var read: [(output: Output, field: Field)] = []
    var sets: [(set: WebSet, field: Field)] = []
    for field in fields {
      if WebSet.isOne(field) {
        guard let (set, members) = WebSet.read(field, &reader.diagnostics) else { continue }
        sets.append((set, field))
        read += members
      } else if let output = Output(field, &reader.diagnostics) {
        read.append((output, field))
      }
    }
    outputs = read.map(\.output)
    webSets = sets.map(\.set)
    if fields.count <= Self.mostOutputs && outputs.count > Self.mostOutputs {
      let expected =
        "at most \(Self.mostOutputs), including those of web sets and their placeholders"
      reader.report(.wrongCount(outputs.count, of: "output", expected: expected), "outputs")
    }
    Self.checkNames(&reader, fields.filter { !WebSet.isOne($0) }, sets)
    Self.checkCurrent(&reader, read)
    checkPaths(&reader, read)
    Self.checkManifests(&reader, sets)
    let files = namedFiles.count
    if files > Self.mostFiles {
      let expected = "at most \(Self.mostFiles)"
      reader.diagnostics.add(.wrongCount(files, of: "file", expected: expected), at: field)
    }
    diagnostics = reader.diagnostics
  }

  private static func handles(_ reader: inout ObjectReader) -> [HandledVersions] {
    let expected = "an array of \(HandledVersions.expectation)"
    return reader.elements("handles", expected: expected).compactMap { element in
      if let handled = element.json.string.flatMap({ HandledVersions($0) }) { return handled }
      let name = element.json.string?.prefix { $0 != "@" } ?? ""
      if name.count > RecipeIdentifier.longest {
        let expected = "at most \(RecipeIdentifier.longest) in the identifier"
        reader.diagnostics.add(
          .wrongCount(name.count, of: "character", expected: expected), at: element)
        return nil
      }
      reader.diagnostics.add(
        .malformed(found: element.json.summary, expected: HandledVersions.expectation), at: element)
      return nil
    }
  }

  /// The steps of a chain; an id that occurs twice in the chain is reported.
  static func steps(_ key: String, _ reader: inout ObjectReader) -> [Step] {
    var seen: Set<String> = []
    let elements = reader.elements(key, expected: "an array of filters")
    guard elements.count <= Self.mostSteps else {
      reader.report(
        .wrongCount(elements.count, of: "step", expected: "at most \(Self.mostSteps)"), key)
      return []
    }
    return elements.compactMap { element in
      guard let step = Step(element, &reader.diagnostics) else { return nil }
      if !seen.insert(step.id).inserted {
        reader.diagnostics.add(
          .contradiction(
            "two steps of this chain have the id '\(step.id)'",
            remedy: "give the second step its own \"id\""),
          at: element["id"] ?? element["filter"] ?? element)
      }
      return step
    }
  }

  /// Reports outputs with the same name, and steps that have the id of a shared step or of the step
  /// that a web set adds.
  ///
  /// The names of a set's outputs are written nowhere, so they are reported at the name of the other
  /// output, or at the set's.
  private static func checkNames(
    _ reader: inout ObjectReader, _ outputs: [Field], _ sets: [(set: WebSet, field: Field)]
  ) {
    for (index, output) in outputs.enumerated() {
      guard let name = output["name"], let text = name.json.string else { continue }
      if outputs[..<index].contains(where: { $0["name"]?.json == name.json }) {
        reader.diagnostics.add(.duplicate(text, kind: "output"), at: name)
      } else if let set = sets.first(where: { $0.set.outputs.contains(text) })?.set {
        reader.diagnostics.add(
          .contradiction(
            "the web set '\(set.name)' has an output '\(text)', too",
            remedy: "give this output another name"),
          at: name)
      }
    }
    for (index, (set, field)) in sets.enumerated() {
      let names = set.outputs
      guard sets[..<index].contains(where: { $0.set.outputs.contains(where: names.contains) })
      else { continue }
      reader.diagnostics.add(.duplicate(set.name, kind: "web set"), at: field["name"] ?? field)
    }
    let steps = reader.field["filters"]?.elements ?? []
    for (set, _) in sets {
      for step in steps where step.json.stepID == WebSet.stepID(set.name) {
        reader.diagnostics.addOnce(WebSet.clash(ofStepIn: set.name), at: step["id"] ?? step)
      }
    }
    let shared = Set(steps.compactMap(\.json.stepID))
    for step in (outputs + sets.map(\.field)).flatMap({ $0["filters"]?.elements ?? [] }) {
      if let id = step.json.stepID, shared.contains(id) {
        reader.diagnostics.add(
          .contradiction(
            "a shared step already has the id '\(id)'",
            remedy: "give the output's step its own \"id\""),
          at: step["id"] ?? step["filter"] ?? step)
      }
    }
  }

  private static func checkCurrent(
    _ reader: inout ObjectReader, _ outputs: [(output: Output, field: Field)]
  ) {
    let shown = outputs.filter(\.output.isCurrent)
    for (output, field) in shown.dropFirst() {
      let names = "'\(shown[0].output.name)' and '\(output.name)'"
      reader.diagnostics.add(
        .contradiction("\(names) are both \"current\"", remedy: "keep one of them"),
        at: field["current"] ?? field)
    }
    for (output, field) in shown where !type(of: output.format).isPhoto {
      reader.diagnostics.add(
        .contradiction(
          "'\(output.name)' is not a photo from which another edit can start",
          remedy: "set \"current\" in another output"),
        at: field["current"] ?? field)
    }
  }

  /// Reports outputs that would write to the same path for every photo, and `{variant}` in a recipe
  /// without a variant.
  private func checkPaths(
    _ reader: inout ObjectReader, _ outputs: [(output: Output, field: Field)]
  ) {
    var owners: [String: Output] = [:]
    for (output, field) in outputs {
      let place = field["path"] ?? field["name"] ?? field
      guard let template = try? PathTemplate(output.path) else { continue }
      if variant == nil && template.usesVariant {
        let error = PathTemplateError.noValue("variant")
        reader.diagnostics.addOnce(.contradiction(error.message, remedy: error.hint), at: place)
      }
      let path = template.text(for: output, of: self)
      if let owner = owners[path], owner.name != output.name, template.isStatic {
        let problem = Problem.contradiction(
          "the outputs '\(owner.name)' and '\(output.name)' would both write '\(path)'",
          remedy: "put '{output}' into one of the paths, or give one output another folder")
        reader.diagnostics.add(problem, at: place)
      }
      owners[path] = owners[path] ?? output
    }
  }

  /// Reports web sets that would write the same manifest.
  ///
  /// Paths of renditions differ between photos, so no template is the path of a manifest.
  private static func checkManifests(
    _ reader: inout ObjectReader, _ sets: [(set: WebSet, field: Field)]
  ) {
    for (index, (set, field)) in sets.enumerated() {
      guard let owner = sets[..<index].first(where: { $0.set.manifest == set.manifest })?.set
      else { continue }
      let problem = Problem.contradiction(
        "the web sets '\(owner.name)' and '\(set.name)' would both write '\(set.manifest)'",
        remedy: "give one of them another \"manifest\"")
      reader.diagnostics.add(problem, at: field["manifest"] ?? field["name"] ?? field)
    }
  }
}
