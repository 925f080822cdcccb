/// One entry of a chain: a filter with its settings, and how it is applied.
public struct Step: Sendable {
  /// Names the step in `--set` and in a sidecar's overrides; the filter's name by default.
  public var id: String
  public var filter: any Filter
  public var isEnabled = true
  /// How much of the filter's result is taken, 0…1, mixed display-encoded.
  public var opacity = 1.0

  public init(_ filter: any Filter) {
    id = type(of: filter).name
    self.filter = filter
  }

  /// Whether the step leaves the photo as it is.
  public var isIdentity: Bool { !isEnabled || opacity == 0 || filter.isIdentity }

  /// Appends the step's operations after `input`.
  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    if isIdentity { return input }
    let result = filter.append(to: &graph, after: input)
    if opacity == 1 || result == input { return result }
    return graph.append(.blend(opacity: opacity), input, result)
  }

  /// The keys of a step that no filter reads.
  static let keys = ["filter", "id", "enabled", "opacity", "comment"]

  /// The step as a recipe says it, without what is at its default.
  public var json: JSON {
    var object = filter.sparse
    let name = type(of: filter).name
    object["filter"] = .string(name)
    if id != name { object["id"] = .string(id) }
    if !isEnabled { object["enabled"] = .bool(false) }
    if opacity != 1 { object["opacity"] = .number(opacity) }
    return .object(object)
  }
}

extension Step {
  init?(_ field: Field, _ diagnostics: inout Diagnostics) {
    guard field.json.object != nil else {
      let expected = "a filter such as {\"filter\": \"exposure\", \"stops\": 0.5}"
      diagnostics.add(.wrongType(found: field.json.summary, expected: expected), at: field)
      return nil
    }
    guard let nameField = field["filter"] else {
      diagnostics.add(.missingKey("filter", in: "this step"), at: field)
      return nil
    }
    guard let name = nameField.json.string else {
      diagnostics.add(
        .wrongType(found: nameField.json.summary, expected: "a filter's name"), at: nameField)
      return nil
    }
    guard let type = Catalog.filter(named: name) else {
      let known = Catalog.filters.map { $0.name }
      diagnostics.add(.unknownName(name, kind: "filter", known: known), at: nameField)
      return nil
    }
    self.init(type.init(field, others: Self.keys, &diagnostics))
    var reader = ObjectReader(field, "step", &diagnostics)
    if let id = reader.read("id", as: .text, String.self) {
      if Identifier.isPlain(id) {
        self.id = id
      } else {
        reader.report(.malformed(found: "\"\(id)\"", expected: Identifier.expectation), "id")
      }
    }
    isEnabled = reader.read("enabled", as: .flag, Bool.self) ?? true
    opacity = reader.read("opacity", as: .number(.fraction, 0...1), Double.self) ?? 1
    _ = reader.read("comment", as: .text, String.self)
    if opacity != 1 && type.isGeometric {
      let problem = Problem.contradiction(
        "'\(name)' changes the frame and cannot have an opacity", remedy: "remove 'opacity'")
      reader.report(problem, "opacity")
    }
    diagnostics = reader.diagnostics
  }
}

/// The names that steps, outputs, parameters and variants may have.
enum Identifier {
  static let pattern = "^[A-Za-z0-9][A-Za-z0-9_-]*$"
  static let expectation = "letters, digits, '-' and '_', beginning with a letter or digit"

  static func isPlain(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    func isAlphanumeric(_ byte: UInt8) -> Bool {
      let character = Character(Unicode.Scalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber)
    }
    guard let first = bytes.first, isAlphanumeric(first), bytes.count <= 64 else { return false }
    return bytes.allSatisfy {
      isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
  }
}
