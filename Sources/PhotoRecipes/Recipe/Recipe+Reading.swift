extension Recipe {
  static let keys = [
    "$schema", "identifier", "version", "title", "comment", "extends", "variant", "from", "handles",
    "parameters", "select", "rendering", "filters", "outputs",
  ]

  /// Reads a recipe whose layers are merged and whose parameters are inserted.
  init?(_ field: Field, _ diagnostics: inout Diagnostics) {
    guard field.json.object != nil else {
      diagnostics.add(.wrongType(found: field.json.summary, expected: "an object"), at: field)
      return nil
    }
    var reader = ObjectReader(field, "recipe", &diagnostics)
    reader.rejectUnknown(known: Self.keys)
    identifier = reader.require("identifier", as: .text) ?? ""
    if field["identifier"]?.json.string != nil && !RecipeIdentifier.isValid(identifier) {
      reader.report(
        .malformed(found: "\"\(identifier)\"", expected: RecipeIdentifier.expectation), "identifier")
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
      let remedy = "add \"variant\", or leave 'from' out: a recipe without one edits the photo itself"
      reader.report(.contradiction("\"from\": \"current\" needs a variant", remedy: remedy), "from")
    }
    rendering = reader.read("rendering", as: Rendering.kind) ?? .balanced
    handles = Self.handles(&reader)
    if handles.isEmpty && field["handles"] == nil {
      handles = [HandledVersions(identifier: identifier, compatibleWith: self.version)]
    }
    if let select = field["select"] { selection = Selection(select, &reader.diagnostics) }
    steps = Self.steps("filters", &reader)
    for element in reader.elements("outputs", expected: "an array of outputs") {
      if let output = Output(element, &reader.diagnostics) { outputs.append(output) }
    }
    if field["outputs"]?.json.array?.isEmpty ?? true {
      reader.report(.missingKey("outputs", in: "the recipe"), "outputs")
    }
    Self.checkNames(&reader, outputs, shared: steps)
    diagnostics = reader.diagnostics
  }

  private static func handles(_ reader: inout ObjectReader) -> [HandledVersions] {
    let expected = "an array of \(HandledVersions.expectation)"
    return reader.elements("handles", expected: expected).compactMap { element in
      if let handled = element.json.string.flatMap({ HandledVersions($0) }) { return handled }
      reader.diagnostics.add(
        .malformed(found: element.json.summary, expected: HandledVersions.expectation), at: element)
      return nil
    }
  }

  /// The steps of a chain, their ids checked: each once in a chain.
  static func steps(_ key: String, _ reader: inout ObjectReader) -> [Step] {
    var seen: Set<String> = []
    return reader.elements(key, expected: "an array of filters").compactMap { element in
      guard let step = Step(element, &reader.diagnostics) else { return nil }
      if !seen.insert(step.id).inserted {
        reader.diagnostics.add(
          .contradiction(
            "two steps of this chain have the id '\(step.id)'",
            remedy: "give the second an \"id\" of its own"), at: element)
      }
      return step
    }
  }

  private static func checkNames(
    _ reader: inout ObjectReader, _ outputs: [Output], shared: [Step]
  ) {
    let fields = reader.field["outputs"]?.elements ?? []
    let named = fields.compactMap { field in field["name"].map { (field, $0) } }
    for (index, (_, name)) in named.enumerated() {
      let earlier = named[..<index].contains { $0.1.json == name.json }
      if earlier, let text = name.json.string {
        reader.diagnostics.add(.duplicate(text, kind: "output"), at: name)
      }
    }
    let shown = outputs.filter(\.isCurrent)
    if shown.count > 1 {
      let names = shown.map { "'\($0.name)'" }.joined(separator: " and ")
      reader.report(
        .contradiction("\(names) are both \"current\"", remedy: "keep one of them"), "outputs")
    }
    let sharedIDs = Set(shared.map(\.id))
    for (output, field) in zip(outputs, fields) where outputs.count == fields.count {
      for step in output.steps where sharedIDs.contains(step.id) {
        reader.diagnostics.add(
          .contradiction(
            "the id '\(step.id)' names a shared step already",
            remedy: "give the output's step an \"id\" of its own"), at: field["filters"] ?? field)
      }
    }
  }
}

extension SemanticVersion {
  init(major: Int, minor: Int, patch: Int) {
    (self.major, self.minor, self.patch) = (major, minor, patch)
  }
}

extension Output {
  static let keys = [
    "name", "format", "path", "filters", "profile", "intent", "metadata", "current", "dpi",
    "comment",
  ]

  init?(_ field: Field, _ diagnostics: inout Diagnostics) {
    guard field.json.object != nil else {
      let expected = "an output such as {\"name\": \"web\", \"format\": \"jpeg\"}"
      diagnostics.add(.wrongType(found: field.json.summary, expected: expected), at: field)
      return nil
    }
    var reader = ObjectReader(field, "output", &diagnostics)
    let name: String? = reader.require("name", as: .text)
    if let name, !Identifier.isPlain(name) {
      reader.report(.malformed(found: "\"\(name)\"", expected: Identifier.expectation), "name")
    }
    let formatName: String? = reader.require("format", as: .text)
    guard let formatName, let type = FormatCatalog.format(named: formatName) else {
      if let formatName {
        let known = FormatCatalog.formats.map { $0.name }
        reader.report(.unknownName(formatName, kind: "format", known: known), "format")
      }
      diagnostics = reader.diagnostics
      return nil
    }
    self.init(
      name: name ?? "", format: type.init(field, others: Self.keys, &reader.diagnostics))
    if let path: String = reader.read("path", as: .text) {
      self.path = path
      if let problem = PathTemplate.problem(in: path) { reader.report(problem, "path") }
    }
    steps = Recipe.steps("filters", &reader)
    profile = reader.read("profile", as: .text) ?? .srgb
    intent = reader.read("intent", as: RenderingIntent.kind) ?? .relative
    metadata = reader.read("metadata", as: MetadataPolicy.kind) ?? .web
    isCurrent = reader.read("current", as: .flag) ?? false
    dpi = reader.read("dpi", as: .number(.dpi, 1...9600))
    _ = reader.read("comment", as: .text, String.self)
    diagnostics = reader.diagnostics
  }
}
