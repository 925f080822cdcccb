import Notation

extension WebSet {
  static let ownKeys = [
    "kind", "widths", "formats", "sizes", "manifest", "base", "placeholder",
  ]
  /// The keys that have no counterpart in ordinary outputs.
  static let manifestKeys = ["sizes", "manifest", "base", "placeholder"]
  /// The keys that belong to the whole page, so that no photo can have its own values of them.
  private static let pageKeys = ["kind", "name"] + manifestKeys
  /// The keys that a web set shares with ordinary outputs; they apply to all outputs of the set.
  static let sharedKeys = ["name", "path", "filters"] + formatKeys

  /// The keys of ordinary outputs that each format of a set can change.
  private static let formatKeys =
    [
      "profile", "intent", HighlightRolloff.key, GamutMapping.key, GainMapTreatment.key,
      AuxiliaryTreatment.key, HDRTransfer.key, "metadata", "dpi", "dither", "comment",
    ] + Budget.keys

  /// The keys of the object of one format: `format`, the encoder settings, and those shared with
  /// the set.
  static func keys(of format: any OutputFormat.Type) -> [String] {
    ["format"] + format.settingNames + formatKeys
  }

  /// True if the key of an assignment names a setting of a web set that belongs to the whole page;
  /// `outputs` are the entries of the recipe.
  static func isOfPage(_ key: String, in outputs: [JSON]) -> Bool {
    outputs.contains { output in
      guard output["kind"] != nil, let name = output["name"]?.string else { return false }
      return pageKeys.contains { "\(name).\($0)" == key }
    }
  }

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
    // Errors in shared keys occur in all outputs of the set; each is reported once.
    func report(_ found: Diagnostics, _ format: Field?) {
      for error in found.all {
        if let error = error.moved(to: format, from: field) { diagnostics.addOnce(error) }
      }
    }
    report(sharedErrors(field), nil)
    guard let set else { return nil }
    var outputs: [(output: Output, field: Field)] = []
    for (json, format) in set.entries(field) {
      let entry = Field(json, at: field.path)
      var found = Diagnostics()
      if let output = Output(entry, &found, of: offeredFormats) { outputs.append((output, entry)) }
      report(found, format)
    }
    for (json, format) in set.repeatedEntries(field) {
      var found = Diagnostics()
      _ = Output(Field(json, at: field.path), &found, of: offeredFormats)
      report(found, format)
    }
    return field["name"]?.json.string.map(isName) == true ? (set, outputs) : nil
  }

  /// The errors in the values of the shared keys, also of those that every format overrides.
  ///
  /// A contradiction of a value and its output is an error only in the formats that have the value.
  private static func sharedErrors(_ field: Field) -> Diagnostics {
    var entry = shared(field)
    entry["name"] = .string(substituteName)
    entry["format"] = .string(JPEGFormat.name)
    var found = Diagnostics()
    _ = Output(Field(JSON(.object(entry), at: field.json.location), at: field.path), &found)
    var errors = Diagnostics()
    errors.append(found) { error in
      if case .contradiction = error.problem {
        return formatKeys.contains { error.path == field.path.key($0) } ? nil : error
      }
      return error
    }
    return errors
  }

  /// True if a set can have this name: with it, no name of its outputs is too long.
  private static func isName(_ name: String) -> Bool {
    Identifier.isPlain(name) && name.utf8.count <= longestName
  }

  /// The name of a set without a valid name while its other keys are checked.
  private static let substituteName = "web-set"

  private init?(_ reader: inout ObjectReader) {
    let kind: String? = reader.read("kind", as: .text)
    if let kind, kind != Self.kind {
      reader.report(.unknownName(kind, kind: "kind of output", known: [Self.kind]), "kind")
      return nil
    }
    reader.rejectUnknown(known: Self.ownKeys + Self.sharedKeys)
    let name: String? = reader.require("name", as: .text)
    if let name, !Self.isName(name) {
      let expected = Identifier.expectation(upTo: Self.longestName)
      reader.report(.malformed(found: "\"\(name)\"", expected: expected), "name")
    }
    for step in reader.field["filters"]?.elements ?? [] {
      guard let name, step.json.stepID == Self.stepID(name) else { continue }
      reader.diagnostics.add(Self.clash(ofStepIn: name), at: step["id"] ?? step)
    }
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
    self.name = Self.isName(name) ? name : Self.substituteName
    self.widths = widths
    self.formats = Self.offered(formats)
    self.manifest = (manifest ?? "\(Self.nameMark).json").replacing(Self.nameMark, with: name)
  }

  /// The id of the step that a set adds to the chains of its outputs.
  static func stepID(_ name: String) -> String { "\(name)-width" }

  /// The problem of a step with the id of the step that a set adds.
  static func clash(ofStepIn name: String) -> Problem {
    .contradiction(
      "the web set '\(name)' adds a step with the id '\(stepID(name))'",
      remedy: "give this step another \"id\"")
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
      guard let type = offeredFormats.first(where: { $0.name == name }) else {
        let known = offeredFormats.map { $0.name }
        reader.diagnostics.add(.unknownName(name, kind: "format", known: known), at: field)
        continue
      }
      let keys = keys(of: type)
      for (key, location, value) in element.members where !keys.contains(key) {
        let problem = Problem.unknownKey(key, in: "'\(name)' in a web set", known: keys)
        reader.diagnostics.add(problem, at: value.path, location)
      }
      if names.contains(name) {
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

  /// The entries of the ordinary outputs that the set represents, each with the object of its
  /// format, if the format has one.
  ///
  /// Keys that are invalid in the set or in a format are left out, because they are reported there.
  func entries(_ field: Field) -> [(json: JSON, format: Field?)] {
    var entries: [(json: JSON, format: Field?)] = []
    for width in widths {
      for type in formats.compactMap(FormatCatalog.format(named:)) {
        let format = Self.objects(of: type.name, in: field).first
        entries.append((entry(field, width, type, format), format))
      }
    }
    if let placeholder {
      let edge = JSON.integer(Self.placeholderEdge)
      var entry = Self.shared(field).resized(by: "longEdge", edge, id: Self.stepID(name))
      for key in Self.keysWithoutPlaceholder { entry[key] = nil }
      // The placeholder never gets a map, so a run gives no warning that it has none.
      entry[GainMapTreatment.key] = .string(GainMapTreatment.drop.rawValue)
      entry[AuxiliaryTreatment.key] = .string(AuxiliaryTreatment.drop.rawValue)
      entry["name"] = .string(placeholder)
      entry["format"] = .string(WebPFormat.name)
      entry["quality"] = .integer(Self.placeholderQuality)
      entry["metadata"] = .string(MetadataPolicy.Preset.none.rawValue)
      entries.append((JSON(.object(entry), at: field.json.location), nil))
    }
    return entries
  }

  /// The entries for the second and further objects of a format, which are errors, so that all
  /// errors in them are reported.
  private func repeatedEntries(_ field: Field) -> [(json: JSON, format: Field?)] {
    formats.compactMap(FormatCatalog.format(named:)).flatMap { type in
      Self.objects(of: type.name, in: field).dropFirst().map { format in
        (entry(field, widths[0], type, format), format)
      }
    }
  }

  /// The objects of a format among the set's formats.
  private static func objects(of format: String, in set: Field) -> [Field] {
    (set["formats"]?.elements ?? []).filter { $0["format"]?.json.string == format }
  }

  /// The keys that the set shares with its outputs, with the path of all outputs.
  private static func shared(_ field: Field) -> JSON.Object {
    var shared = JSON.Object(
      (field.json.object?.members ?? []).filter { sharedKeys.contains($0.key) })
    if shared["path"] == nil { shared["path"] = .string(standardPath) }
    return shared
  }

  /// The entry of the output for one width and one format, with the settings of the format's object.
  private func entry(
    _ field: Field, _ width: Int, _ type: any OutputFormat.Type, _ format: Field?
  ) -> JSON {
    let written = field["widths"]?.elements.first { $0.json.integer == width }?.json
    let pixels = JSON(JSON.integer(width).value, at: written?.location)
    var entry = Self.shared(field).resized(by: "width", pixels, id: Self.stepID(name))
    for member in format?.members ?? [] where Self.keys(of: type).contains(member.key) {
      entry[member.key] = member.field.json
    }
    entry["name"] = .string(output(width, type.name))
    entry["format"] = .string(type.name)
    // A photo narrower than the smallest width still gets this rendition, at its own size.
    entry["minWidth"] = width == widths[0] ? nil : .integer(width)
    return JSON(.object(entry), at: field.json.location)
  }

  /// The keys of the set that do not apply to its placeholder.
  private static let keysWithoutPlaceholder =
    Budget.keys + ["profile", "dither", "dpi", HDRTransfer.key]

  /// The longer edge of the placeholder in pixels: enlarged and smoothed by the browser, it shows
  /// the rough content of the photo.
  private static let placeholderEdge = 20
  private static let placeholderQuality = 60
}

extension Diagnostic {
  /// Returns the error at its place in the format's object, if that object has the value.
  ///
  /// An error without a key concerns encoder settings, so it is placed at the object itself. Nil for
  /// an error of the step that the set adds: only its id can be wrong, and that is reported at the
  /// other step with this id.
  fileprivate func moved(to format: Field?, from set: Field) -> Diagnostic? {
    let isAdded = location == nil && set.json.location != nil
    if isAdded && path.isWithin(set.path.key("filters")) { return nil }
    guard let format else { return self }
    if path == set.path { return Diagnostic(problem, at: format.path, format.json.location) }
    for (key, _, value) in format.members where path.isWithin(set.path.key(key)) {
      let path = path.moved(from: set.path.key(key), to: value.path)
      return Diagnostic(problem, at: path, location)
    }
    return self
  }
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
