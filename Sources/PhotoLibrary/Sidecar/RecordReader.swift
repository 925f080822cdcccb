import PhotoRecipes

/// Reads the members of one object of a sidecar.
struct RecordReader {
  let field: Field
  var diagnostics: Diagnostics

  init(_ field: Field, _ diagnostics: inout Diagnostics) {
    self.field = field
    self.diagnostics = diagnostics
    if field.json.object == nil { report(field, expected: "an object") }
  }

  mutating func text(_ key: String) -> String? { member(key, "a text") { $0.string } }
  mutating func integer(_ key: String) -> Int? { member(key, "a whole number") { $0.integer } }

  /// An array, empty with a report when there is none.
  mutating func array(_ key: String) -> [Field] {
    guard let member = field[key] else {
      diagnostics.add(.missingKey(key, in: "the sidecar"), at: field)
      return []
    }
    if member.json.array == nil { report(member, expected: "an array") }
    return member.elements
  }

  mutating func object(_ key: String) -> Field {
    if let member = field[key] { return member }
    diagnostics.add(.missingKey(key, in: "the sidecar"), at: field)
    return Field(.object(JSON.Object()), at: field.path.key(key))
  }

  /// The members that nobody reads.
  func others(than known: [String]) -> JSON.Object {
    JSON.Object((field.json.object?.members ?? []).filter { !known.contains($0.key) })
  }

  func invalid(_ problem: Problem, _ key: String) -> InvalidDocument {
    var diagnostics = diagnostics
    diagnostics.add(problem, at: field[key] ?? field)
    return InvalidDocument(diagnostics: diagnostics.all)
  }

  /// A member that need not be there, but is of its type if it is.
  mutating func optional<Value>(
    _ key: String, _ expected: String, _ read: (JSON) -> Value?
  ) -> Value? {
    field[key] == nil ? nil : member(key, expected, read)
  }

  private mutating func member<Value>(
    _ key: String, _ expected: String, _ read: (JSON) -> Value?
  ) -> Value? {
    guard let member = field[key] else {
      diagnostics.add(.missingKey(key, in: "the sidecar"), at: field)
      return nil
    }
    guard let value = read(member.json) else {
      report(member, expected: expected)
      return nil
    }
    return value
  }

  private mutating func report(_ field: Field, expected: String) {
    diagnostics.add(.wrongType(found: field.json.summary, expected: expected), at: field)
  }
}
