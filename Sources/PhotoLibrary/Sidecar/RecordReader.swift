import Notation
import PhotoRecipes

/// Reads the members of one object of a sidecar.
struct RecordReader {
  /// Nil for an object that is missing, which is reported.
  let node: JSONNode?
  var diagnostics: Diagnostics

  init(_ node: JSONNode?, _ diagnostics: inout Diagnostics) {
    self.node = node
    self.diagnostics = diagnostics
    if let node, !node.isObject { report(node, expected: "an object") }
  }

  subscript(key: String) -> JSONNode? { node?[key] }

  mutating func text(_ key: String) -> String? { member(key, "a text") { $0.string } }

  /// A text that the sidecars of a library repeat: one copy serves them all.
  mutating func sharedText(_ key: String) -> String? {
    member(key, "a text") { node in Self.shared.value(of: node.bytes) { _ in node.string } }
  }

  private static let shared = RecentTexts<String?>()

  /// A number of bytes: more than any file has, and what a double is exact to.
  mutating func bytes(_ key: String) -> Int { number(key, "a whole number of 0…2^53", 0...1 << 53) }

  /// An edge of an image in pixels: the product of two fits into an `Int`.
  mutating func edge(_ key: String) -> Int {
    number(key, "a whole number of 0…2147483647", 0...Int(Int32.max))
  }

  private mutating func number(_ key: String, _ expected: String, _ range: ClosedRange<Int>) -> Int
  {
    member(key, expected) { $0.integer.flatMap { range.contains($0) ? $0 : nil } } ?? 0
  }

  /// An array, empty with a report when there is none.
  mutating func array(_ key: String) -> [JSONNode] {
    guard let member = self[key] else {
      reportMissing(key)
      return []
    }
    if !member.isArray { report(member, expected: "an array") }
    return member.isArray ? member.children : []
  }

  /// A member that must be there, whatever it is.
  mutating func object(_ key: String) -> JSONNode? {
    let member = self[key]
    if member == nil { reportMissing(key) }
    return member
  }

  /// The members that nobody reads.
  func others(than known: [String]) -> JSON.Object {
    node?.members(besides: known) ?? JSON.Object()
  }

  func invalid(_ problem: Problem, _ key: String) -> InvalidDocument {
    var diagnostics = diagnostics
    if let place = self[key] ?? node { diagnostics.add(problem, at: place.path, place.location) }
    return InvalidDocument(diagnostics: diagnostics.all)
  }

  /// A member that need not be there, but is of its type if it is.
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
    guard let node else { return }
    diagnostics.add(.missingKey(key, in: "the sidecar"), at: node.path, node.location)
  }

  private mutating func report(_ node: JSONNode, expected: String) {
    diagnostics.add(
      .wrongType(found: node.json.summary, expected: expected), at: node.path, node.location)
  }
}
