import Notation

extension Diagnostics {
  /// Adds an error unless it has been added before.
  mutating func addOnce(_ error: Diagnostic) {
    if !all.contains(error) { add(error) }
  }

  mutating func addOnce(_ problem: Problem, at field: Field) {
    addOnce(Diagnostic(problem, at: field.path, field.json.location))
  }
}

/// Reads the members of one JSON object, and reports an error for each invalid member.
struct ObjectReader {
  let field: Field
  /// The name of the object in messages: `recipe`, `output`.
  let place: String
  var diagnostics: Diagnostics

  init(_ field: Field, _ place: String, _ diagnostics: inout Diagnostics) {
    self.field = field
    self.place = place
    self.diagnostics = diagnostics
  }

  /// The value of `key`; nil if it is missing or invalid.
  ///
  /// An invalid value is reported.
  mutating func read<Value: SettingValue>(
    _ key: String, as kind: SettingKind, _ type: Value.Type = Value.self
  ) -> Value? {
    guard let member = field[key] else { return nil }
    switch Value.read(member.json, as: kind) {
    case .success(let value): return value
    case .failure(let problem):
      diagnostics.add(problem, at: member)
      return nil
    }
  }

  mutating func require<Value: SettingValue>(
    _ key: String, as kind: SettingKind, _ type: Value.Type = Value.self
  ) -> Value? {
    if field[key] == nil { diagnostics.add(.missingKey(key, in: "the \(place)"), at: field) }
    return read(key, as: kind, type)
  }

  mutating func report(_ problem: Problem, _ key: String) {
    diagnostics.add(problem, at: field[key] ?? field)
  }

  mutating func rejectUnknown(known: [String]) {
    for (key, location, value) in field.members where !known.contains(key) {
      let problem = Problem.unknownKey(key, in: "the \(place)", known: known)
      diagnostics.add(problem, at: value.path, location)
    }
  }

  /// The elements of an array; empty if the array is missing.
  ///
  /// A value that is not an array is reported as an error, and also results in no elements.
  mutating func elements(_ key: String, expected: String) -> [Field] {
    guard let member = field[key] else { return [] }
    if member.json.array == nil {
      diagnostics.add(.wrongType(found: member.json.summary, expected: expected), at: member)
    }
    return member.elements
  }
}
