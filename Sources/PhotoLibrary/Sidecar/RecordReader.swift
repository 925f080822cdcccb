import Notation
import PhotoRecipes

/// Reads the members of one object of a sidecar.
struct RecordReader {
  /// The object; nil if it is missing, which is reported.
  let node: JSONNode?
  var diagnostics: Diagnostics

  init(_ node: JSONNode?, _ diagnostics: inout Diagnostics) {
    self.node = node
    self.diagnostics = diagnostics
    if let node, !node.isObject { report(node, expected: "an object") }
  }

  subscript(key: String) -> JSONNode? { node?[key] }

  mutating func text(_ key: String) -> String? { member(key, "a text") { $0.string } }

  /// Reads a text that many sidecars of a library repeat; all share one copy.
  mutating func sharedText(_ key: String) -> String? {
    member(key, "a text") { node in Self.shared.value(of: node.bytes) { _ in node.string } }
  }

  private static let shared = RecentTexts<String?>()

  /// Reads a length in bytes, 0…2^53: more than any file has, and the limit of exact integers in a
  /// double.
  mutating func bytes(_ key: String) -> Int { number(key, "a whole number of 0…2^53", 0...1 << 53) }

  /// Reads an edge of an image in pixels; the product of two edges fits into an `Int`.
  mutating func edge(_ key: String) -> Int {
    number(key, "a whole number of 0…2147483647", 0...Int(Int32.max))
  }

  private mutating func number(_ key: String, _ expected: String, _ range: ClosedRange<Int>) -> Int
  {
    member(key, expected) { $0.integer.flatMap { range.contains($0) ? $0 : nil } } ?? 0
  }

  /// Reads an array; reports a missing array and returns an empty one.
  mutating func array(_ key: String) -> [JSONNode] {
    guard let member = self[key] else {
      reportMissing(key)
      return []
    }
    if !member.isArray { report(member, expected: "an array") }
    return member.isArray ? member.children : []
  }

  /// Reads a required member of any type.
  mutating func object(_ key: String) -> JSONNode? {
    let member = self[key]
    if member == nil { reportMissing(key) }
    return member
  }

  /// The members that are not in `known`.
  func others(than known: [String]) -> JSON.Object {
    node?.members(besides: known) ?? JSON.Object()
  }

  func invalid(_ problem: Problem, _ key: String) -> InvalidDocument {
    var diagnostics = diagnostics
    if let place = self[key] ?? node { diagnostics.add(problem, at: place.path, place.location) }
    return InvalidDocument(diagnostics: diagnostics.all)
  }

  /// Reads an optional member, which must have its type if it is present.
  mutating func optional<Value>(
    _ key: String, _ expected: String, _ read: (JSONNode) -> Value?
  ) -> Value? {
    self[key].flatMap { value(of: $0, expected, read) }
  }

  private mutating func member<Value>(
    _ key: String, _ expected: String, _ read: (JSONNode) -> Value?
  ) -> Value? {
    guard let member = self[key] else {
      reportMissing(key)
      return nil
    }
    return value(of: member, expected, read)
  }

  private mutating func value<Value>(
    of member: JSONNode, _ expected: String, _ read: (JSONNode) -> Value?
  ) -> Value? {
    let value = read(member)
    if value == nil { report(member, expected: expected) }
    return value
  }

  private mutating func reportMissing(_ key: String) {
    guard let node, !diagnostics.isFull else { return }
    diagnostics.add(.missingKey(key, in: "the sidecar"), at: node.path, node.location)
  }

  private mutating func report(_ node: JSONNode, expected: String) {
    if diagnostics.isFull { return }
    diagnostics.add(
      .wrongType(found: node.json.summary, expected: expected), at: node.path, node.location)
  }
}
