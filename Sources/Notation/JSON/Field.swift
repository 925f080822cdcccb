/// A JSON value with its place in the document, as passed to the code that reads settings.
public struct Field: Sendable, Hashable {
  public let json: JSON
  public let path: JSONPath

  public init(_ json: JSON, at path: JSONPath = .root) {
    self.json = json
    self.path = path
  }

  public subscript(key: String) -> Field? {
    json[key].map { Field($0, at: path.key(key)) }
  }

  /// The members of an object, each with its place.
  public var members: [(key: String, keyLocation: SourceLocation?, field: Field)] {
    (json.object?.members ?? []).map {
      ($0.key, $0.keyLocation, Field($0.value, at: path.key($0.key)))
    }
  }

  public var elements: [Field] {
    (json.array ?? []).enumerated().map { Field($1, at: path.index($0)) }
  }
}

extension Diagnostics {
  public mutating func add(_ problem: Problem, at field: Field) {
    add(problem, at: field.path, field.json.location)
  }

  /// Adds a problem with one character of a string; `character` is counted from 1.
  package mutating func add(_ problem: Problem, at field: Field, character: Int?) {
    let place = character.flatMap { field.json.location(ofCharacter: $0) }
    add(problem, at: field.path, place ?? field.json.location)
  }

  /// Adds a problem if `field` is not an object.
  ///
  /// - Returns: True if it is an object.
  package mutating func expectObject(_ field: Field, _ expected: String) -> Bool {
    if field.json.object != nil { return true }
    add(.wrongType(found: field.json.summary, expected: expected), at: field)
    return false
  }
}
