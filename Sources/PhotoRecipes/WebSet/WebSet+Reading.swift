import Notation

extension WebSet {
  static let ownKeys = [
    "kind", "widths", "formats", "sizes", "manifest", "base", "placeholder",
  ]
  /// The keys that a web set shares with ordinary outputs; they apply to all outputs of the set.
  static let sharedKeys =
    [
      "name", "path", "filters", "profile", "intent", "highlights", "gamut", "metadata", "dpi",
      "dither", "comment",
    ] + Budget.keys

  /// The keys that one format of a set cannot change.
  private static let setKeys = ["name", "path", "filters", "current", "minWidth", "kind"]

  /// True if an entry of a recipe's outputs is meant as a web set, valid or not.
  static func isOne(_ field: Field) -> Bool { field["kind"] != nil }

  /// Reads a set and the outputs that it represents, each together with the JSON entry that an
  /// ordinary output would have.
  static func read(
    _ field: Field, _ diagnostics: inout Diagnostics
  ) -> (set: WebSet, outputs: [(output: Output, field: Field)])? {
    var reader = ObjectReader(field, "web set", &diagnostics)
    let set = WebSet(&reader)
    diagnostics = reader.diagnostics
    guard let set else { return nil }
    var outputs: [(output: Output, field: Field)] = []
    for entry in set.entries(field) {
      let entry = Field(entry, at: field.path)
      var found = Diagnostics()
      if let output = Output(entry, &found) { outputs.append((output, entry)) }
      // Errors in shared keys occur in all outputs of the set; each is reported once.
      let known = diagnostics
      diagnostics.append(found) { known.all.contains($0) ? nil : $0 }
    }
    return (set, outputs)
  }

  private init?(_ reader: inout ObjectReader) {
    let kind: String? = reader.read("kind", as: .text)
    if let kind, kind != Self.kind {
      reader.report(.unknownName(kind, kind: "kind of output", known: [Self.kind]), "kind")
      return nil
    }
    reader.rejectUnknown(known: Self.ownKeys + Self.sharedKeys)
    let name: String? = reader.require("name", as: .text)
    let widths = Self.widths(&reader)
    let formats = Self.formats(&reader)
    sizes = reader.read("sizes", as: .text) ?? "100vw"
    let base: String? = reader.read("base", as: .text)
    self.base = base ?? ""
    if let base, base.unicodeScalars.contains(where: Self.endsURL) {
      reader.report(
        .malformed(
          found: "\"\(base)\"",
          expected: "the beginning of a URL such as \"/photos/\", without spaces and commas"),
        "base")
    }
    hasPlaceholder = reader.read("placeholder", as: .flag) ?? true
    self.manifest = ""
    let manifest: String? = reader.read("manifest", as: .text)
    if let manifest, !Self.isManifest(manifest) {
      reader.report(
        .malformed(
          found: "\"\(manifest)\"",
          expected: "a path below the output folder that ends in .json, without '..', and without "
            + "braces except in {name}"),
        "manifest")
    }
    guard kind != nil, let name, let widths, let formats else { return nil }
    self.name = name
    self.widths = widths
    self.formats = Self.offered(formats)
    self.manifest = (manifest ?? "\(Self.nameMark).json").replacing(Self.nameMark, with: name)
  }

  private static func widths(_ reader: inout ObjectReader) -> [Int]? {
    let expected = "an array of \(counts.lowerBound) to \(counts.upperBound) widths"
    guard let field = reader.field["widths"] else {
      reader.report(.missingKey("widths", in: "the web set"), "widths")
      return nil
    }
    let elements = reader.elements("widths", expected: expected)
    guard counts.contains(elements.count) else {
      if field.json.array != nil {
        reader.report(.outOfRange(found: "\(elements.count)", expected: expected), "widths")
      }
      return nil
    }
    var widths: Set<Int> = []
    for element in elements {
      switch Int.read(element.json, as: widthKind) {
      case .failure(let problem): reader.diagnostics.add(problem, at: element)
      case .success(let width):
        if !widths.insert(width).inserted {
          reader.diagnostics.add(repeated("width \(width)"), at: element)
        }
      }
    }
    return widths.sorted()
  }

  private static func repeated(_ element: String) -> Problem {
    .contradiction("the \(element) is used twice", remedy: "remove one of the two")
  }

  private static func formats(_ reader: inout ObjectReader) -> [String]? {
    guard reader.field["formats"] != nil else {
      reader.report(.missingKey("formats", in: "the web set"), "formats")
      return nil
    }
    let known = formatNames
    var names: [String] = []
    let elements = reader.elements("formats", expected: "an array of formats")
    for element in elements {
      let field = element["format"] ?? element
      guard let name = field.json.string else {
        reader.diagnostics.add(
          .wrongType(
            found: element.json.summary,
            expected: "a format such as \"webp\" or {\"format\": \"webp\", \"quality\": 75}"),
          at: element)
        continue
      }
      for (key, location, value) in element.members where Self.setKeys.contains(key) {
        let problem = Problem.unknownKey(key, in: "a format of a web set", known: Budget.keys)
        reader.diagnostics.add(problem, at: value.path, location)
      }
      if !known.contains(name) {
        reader.diagnostics.add(.unknownName(name, kind: "format", known: known), at: field)
      } else if names.contains(name) {
        reader.diagnostics.add(repeated("format '\(name)'"), at: field)
      } else {
        names.append(name)
      }
    }
    if elements.isEmpty && reader.field["formats"]?.json.array != nil {
      let remedy = "add one, such as \"jpeg\""
      reader.report(.contradiction("the web set has no format", remedy: remedy), "formats")
    }
    return names.isEmpty ? nil : names
  }

  /// The mark in the manifest's path in place of the set's name.
  private static let nameMark = "{name}"

  /// True if the path is valid for a manifest.
  private static func isManifest(_ path: String) -> Bool {
    let path = path.replacing(nameMark, with: "name")
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return path.hasSuffix(".json") && !path.contains { $0 == "{" || $0 == "}" }
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.count <= 255 && part != "." && part != ".."
          && !PathTemplate.isReserved(String(part)) && !part.utf8.contains(0)
      }
  }

  /// True if this character would end a URL in a `srcset`.
  private static func endsURL(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || ",\"'<>\\".unicodeScalars.contains(scalar)
  }

  /// The regular expression of `base` in the schema.
  static let basePattern = #"^[^\s,"'<>\\]*$"#

  /// The regular expression of `manifest` in the schema; it is slightly more permissive than the
  /// reader.
  static let manifestPattern = #"^[^/].*\.json$"#

  /// The entries of the ordinary outputs that the set represents.
  func entries(_ field: Field) -> [JSON] {
    var shared = JSON.Object(
      (field.json.object?.members ?? []).filter { !Self.ownKeys.contains($0.key) })
    if shared["path"] == nil { shared["path"] = .string(Self.standardPath) }
    let settings = (field["formats"]?.elements ?? []).compactMap { element in
      element["format"]?.json.string.map { ($0, element.json.object?.members ?? []) }
    }
    var entries: [JSON] = []
    for (index, width) in widths.enumerated() {
      for format in formats {
        let pixels = JSON(JSON.integer(width).value, at: field["widths"]?.json.location)
        var entry = shared.resized(by: "width", pixels, id: "\(name)-width")
        for member in settings.first(where: { $0.0 == format })?.1 ?? [] {
          entry[member.key] = member.value
        }
        entry["name"] = .string(output(width, format))
        entry["format"] = .string(format)
        // A photo narrower than the smallest width still gets this rendition, at its own size.
        entry["minWidth"] = index == 0 ? nil : .integer(width)
        entries.append(JSON(.object(entry), at: field.json.location))
      }
    }
    if let placeholder {
      let edge = JSON.integer(Self.placeholderEdge)
      var entry = shared.resized(by: "longEdge", edge, id: "\(name)-width")
      for key in Budget.keys + ["dither", "dpi"] { entry[key] = nil }
      entry["name"] = .string(placeholder)
      entry["format"] = .string(WebPFormat.name)
      entry["quality"] = .integer(Self.placeholderQuality)
      entry["metadata"] = .string(MetadataPolicy.Preset.none.rawValue)
      entry["profile"] = nil
      entries.append(JSON(.object(entry), at: field.json.location))
    }
    return entries
  }

  /// The longer edge of the placeholder in pixels: enlarged and smoothed by the browser, it shows
  /// the rough content of the photo.
  private static let placeholderEdge = 20
  private static let placeholderQuality = 60
}

extension JSON.Object {
  /// A copy of the entry with a final step that resizes the photo.
  fileprivate func resized(by key: String, _ pixels: JSON, id: String) -> JSON.Object {
    var entry = self
    let resize = JSON.object([
      "filter": .string(ResizeFilter.name), "id": .string(id), key: pixels,
    ])
    let steps = JSON(
      .array((self["filters"]?.array ?? []) + [resize]), at: self["filters"]?.location)
    // Does not add the step to a value that is not an array, because reading the entry then reports
    // this error.
    if self["filters"] == nil || self["filters"]?.array != nil { entry["filters"] = steps }
    return entry
  }
}
