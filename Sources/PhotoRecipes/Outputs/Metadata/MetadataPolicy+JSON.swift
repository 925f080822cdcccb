public import Notation

extension MetadataPolicy {
  static let keys = ["preset", "keep", "drop", "gps", "set", "fileTime", "comment"]
  static let expectation =
    "one of \(Preset.allCases.map(\.rawValue).joined(separator: ", ")), or an object such as"
    + " {\"drop\": [\"serials\"], \"gps\": \"drop\"}"

  /// Reads a preset's name, or an object.
  ///
  /// Without a preset, an object with `keep` keeps only the listed items, an object with `drop`
  /// keeps everything except the listed items, and any other object means `web`.
  init?(_ field: Field, _ diagnostics: inout Diagnostics) {
    if let name = field.json.string {
      guard let preset = Preset(rawValue: name) else {
        diagnostics.add(
          .unknownChoice(name, choices: Preset.allCases.map(\.rawValue)), at: field)
        return nil
      }
      self.init(preset)
      return
    }
    guard diagnostics.expectObject(field, Self.expectation) else { return nil }
    var reader = ObjectReader(field, "metadata", &diagnostics)
    defer { diagnostics = reader.diagnostics }
    reader.rejectUnknown(known: Self.keys)
    _ = reader.read("comment", as: .text, String.self)
    let usual: Preset = field["keep"] != nil ? .none : field["drop"] != nil ? .all : .web
    self.init(reader.read("preset", as: Preset.kind) ?? usual)
    kept = Self.rules("keep", &reader)
    dropped = Self.rules("drop", &reader)
    if let rule = kept.first(where: dropped.contains) {
      let problem = Problem.contradiction(
        "'\(rule)' is in both 'keep' and 'drop'", remedy: "remove it from one of the lists")
      reader.report(problem, "keep")
    }
    if let member = field["gps"] { position = Position(member, &reader.diagnostics) }
    fileTime = reader.read("fileTime", as: FileTime.kind) ?? .now
    guard let texts = field["set"],
      reader.diagnostics.expectObject(texts, "texts such as {\"creator\": \"Ada\"}")
    else { return }
    for (key, location, value) in texts.members {
      guard let name = MetadataField(rawValue: key) else {
        let known = MetadataField.allCases.map(\.rawValue)
        reader.diagnostics.add(
          .unknownKey(key, in: "'set'", known: known), at: value.path, location)
        continue
      }
      self.texts[name] = Self.templates(name, value, &reader.diagnostics)
    }
  }

  private static func rules(_ key: String, _ reader: inout ObjectReader) -> [Rule] {
    reader.elements(key, expected: "an array of groups such as \"date\"").compactMap { element in
      if let rule = element.json.string.flatMap({ Rule($0) }) { return rule }
      if let name = element.json.string, !name.contains(":") {
        reader.diagnostics.add(
          .unknownName(
            name, kind: "group of metadata", known: MetadataGroup.allCases.map(\.rawValue)),
          at: element)
      } else {
        reader.diagnostics.add(
          .malformed(found: element.json.summary, expected: Rule.expectation), at: element)
      }
      return nil
    }
  }

  private static func templates(
    _ name: MetadataField, _ field: Field, _ diagnostics: inout Diagnostics
  ) -> [TextTemplate] {
    let fields = name == .keywords && field.json.array != nil ? field.elements : [field]
    return fields.compactMap { field in
      switch TextTemplate.read(field.json, as: .text) {
      case .success(let template):
        if name == .rating, let text = template.constant, !MetadataField.isRating(text) {
          let problem = Problem.contradiction(
            "the rating \"\(text)\" is not \(MetadataField.ratingKind)",
            remedy: "write a number such as \"4\", or a placeholder: \"{rating}\"")
          diagnostics.add(problem, at: field)
          return nil
        }
        return template
      case .failure(let problem):
        diagnostics.add(problem, at: field)
        return nil
      }
    }
  }

  /// The policy as JSON in a recipe, without values that are at their defaults.
  public var json: JSON {
    var object = JSON.Object()
    if !dropped.isEmpty { object["drop"] = .array(dropped.map { .string("\($0)") }) }
    if fileTime != .now { object["fileTime"] = fileTime.json }
    if let position { object["gps"] = .string("\(position)") }
    if !kept.isEmpty { object["keep"] = .array(kept.map { .string("\($0)") }) }
    if !texts.isEmpty {
      var texts = JSON.Object()
      for (field, templates) in self.texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        let values = templates.map { JSON.string($0.text) }
        texts[field.rawValue] = field == .keywords ? .array(values) : values.first
      }
      object["set"] = .object(texts)
    }
    if object.members.isEmpty { return .string(preset.rawValue) }
    object["preset"] = .string(preset.rawValue)
    return .object(object)
  }

  /// The JSON Schema of a policy.
  static var schema: JSON {
    let text = JSON.object(["type": .string("string")])
    let rules = JSON.object(["type": .string("array"), "items": Rule.schema])
    let texts = MetadataField.allCases.map { field in
      let several = JSON.object(["type": .string("array"), "items": text])
      let schema: JSON =
        switch field {
        case .keywords: .object(["anyOf": .array([text, several])])
        case .rating:
          .object([
            "type": .string("string"), "pattern": .string(MetadataField.ratingPattern),
          ])
        default: text
        }
      return JSON.Object.Member(field.rawValue, schema)
    }
    let object = JSON.object([
      "type": .string("object"), "additionalProperties": .bool(false),
      "properties": .object([
        "preset": Preset.kind.schema, "keep": rules, "drop": rules,
        "gps": Position.schema,
        "set": .object([
          "type": .string("object"), "additionalProperties": .bool(false),
          "properties": .object(JSON.Object(texts)),
        ]),
        "fileTime": FileTime.kind.schema, "comment": text,
      ]),
    ])
    return .object(["anyOf": .array([Preset.kind.schema, object])])
  }
}

extension TextTemplate {
  /// The text without placeholders; nil if there are placeholders.
  fileprivate var constant: String? {
    let text = filled(with: [:])
    return text == filled(with: Self.examples) ? text : nil
  }
}

extension MetadataPolicy.Rule: CustomStringConvertible {
  static let expectation =
    "a group such as \"date\", an XMP property such as \"dc:subject\" or \"crs:*\", or an EXIF tag"
    + " such as \"0x9286\""

  init?(_ text: String) {
    if let group = MetadataGroup(rawValue: text) {
      self = .group(group)
    } else if text.hasPrefix("0x"), let tag = UInt16(text.dropFirst(2), radix: 16) {
      self = .tag(tag)
    } else {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      let isName = parts.count == 2 && parts.allSatisfy { Self.isName($0) }
      let isPrefix = parts.count == 2 && parts[1] == "*" && Self.isName(parts[0])
      guard isName || isPrefix else { return nil }
      self = .property(text)
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
  }

  public var description: String {
    switch self {
    case .group(let group): group.rawValue
    case .property(let name): name
    case .tag(let number): "0x" + number.digits(4, radix: 16)
    }
  }

  static var schema: JSON {
    .object([
      "anyOf": .array([
        MetadataGroup.kind.schema,
        .object([
          "type": .string("string"),
          "pattern": .string(#"^([A-Za-z0-9._-]+:([A-Za-z0-9._-]+|\*)|0x[0-9A-Fa-f]{1,4})$"#),
        ]),
      ])
    ])
  }
}

extension MetadataPolicy.Position: CustomStringConvertible {
  static let kilometres = 0.1...1000.0
  static let expectation =
    "keep, drop, or \"round(10)\", with kilometres from \(kilometres.lowerBound.brief) to"
    + " \(kilometres.upperBound.brief)"

  fileprivate init?(_ field: Field, _ diagnostics: inout Diagnostics) {
    switch field.json.string {
    case "keep": self = .keep
    case "drop": self = .drop
    case let text?:
      let inner =
        text.hasPrefix("round(") && text.hasSuffix(")") ? text.dropFirst(6).dropLast() : ""
      guard let number = Double(inner), Self.kilometres.contains(number) else { fallthrough }
      self = .round(kilometres: number)
    default:
      diagnostics.add(
        .malformed(found: field.json.summary, expected: Self.expectation), at: field)
      return nil
    }
  }

  public var description: String {
    switch self {
    case .keep: "keep"
    case .drop: "drop"
    case .round(let kilometres): "round(\(kilometres.brief))"
    }
  }

  static var schema: JSON {
    .object([
      "anyOf": .array([
        .object(["enum": .array([.string("keep"), .string("drop")])]),
        .object([
          "type": .string("string"),
          "pattern": .string(#"^round\((\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\)$"#),
        ]),
      ])
    ])
  }
}
