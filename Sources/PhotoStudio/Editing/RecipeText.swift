package import Notation
import PhotoRecipes

/// A recipe as text; an edit changes only the bytes of the edited value.
///
/// The order of keys, the spelling of numbers, comments and line breaks stay as the user wrote
/// them.
package struct RecipeText: Sendable, Hashable {
  package private(set) var bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The reason why a text cannot be edited.
  package enum Obstacle: Error, Hashable {
    /// The text is not valid JSON, or is not a recipe.
    case unreadable
    /// Neither the recipe nor the recipes that it extends have a step with this id.
    case noStep(String)
    /// The step comes from the recipe that this one extends.
    case inherited(String)
    /// The recipe already has a step with this id.
    case known(String)
  }

  private func root() throws(Obstacle) -> JSONNode {
    guard let table = JSONTable(SourceText(name: "recipe", bytes: bytes)), table.root.isObject
    else { throw .unreadable }
    return table.root
  }

  /// The lists of steps: the recipe's own list, and the lists of its outputs.
  private static func lists(_ root: JSONNode) -> [JSONNode] {
    let outputs = root["outputs"]?.children ?? []
    return ([root] + outputs).compactMap { $0["filters"] }.filter(\.isArray)
  }

  private static func id(of step: JSONNode) -> String? {
    step["id"]?.string ?? step["filter"]?.string
  }

  /// The ids of the steps that this text contains itself.
  package var ownSteps: Set<String> {
    guard let root = try? root() else { return [] }
    return Set(Self.lists(root).flatMap(\.children).compactMap(Self.id))
  }

  /// Sets a setting of a step, or removes the setting if `value` is nil.
  ///
  /// For a step of the recipe that this one extends (one of `inherited`), the text gets an entry
  /// with the step's id and the setting. `path` is the setting's name, and the names inside it,
  /// such as `["mask", "radial", "radius"]`.
  package mutating func set(
    _ path: [String], of step: String, to value: JSON?, inherited: Set<String> = []
  ) throws(Obstacle) {
    let root = try root()
    let own = Self.lists(root).flatMap(\.children).first { Self.id(of: $0) == step }
    if let own {
      if let value { set(path[...], in: own, to: value) } else { remove(path[...], in: own) }
      return
    }
    guard inherited.contains(step) else { throw .noStep(step) }
    guard let value else { return }
    var entry = JSON.Object()
    entry["id"] = .string(step)
    entry[path[0]] = path.dropFirst().reversed().reduce(value) { inner, key in
      .object(JSON.Object([JSON.Object.Member(key, inner)]))
    }
    try insert(.object(entry), at: .max)
  }

  private mutating func set(_ path: ArraySlice<String>, in object: JSONNode, to value: JSON) {
    guard let key = path.first else { return }
    guard let member = object[key] else {
      let whole = path.dropFirst().reversed().reduce(value) { inner, key in
        .object(JSON.Object([JSON.Object.Member(key, inner)]))
      }
      return append(key, whole, to: object)
    }
    if path.count > 1, member.isObject { return set(path.dropFirst(), in: member, to: value) }
    bytes.replaceSubrange(member.range, with: Array(value.spacedText.utf8))
  }

  private mutating func remove(_ path: ArraySlice<String>, in object: JSONNode) {
    guard let key = path.first, let member = object[key] else { return }
    if path.count > 1 { return remove(path.dropFirst(), in: member) }
    removeChild(member, of: object)
  }

  /// Adds a member after the last member, on a line of its own if the other members have lines of
  /// their own.
  private mutating func append(_ key: String, _ value: JSON, to object: JSONNode) {
    let text = "\(JSON.string(key).compactText): \(value.spacedText)"
    append(text, to: object)
  }

  /// Adds the text of a member or element after the last member or element.
  private mutating func append(_ text: String, to container: JSONNode) {
    guard let last = container.children.last, let first = container.children.first else {
      let inside = container.range.lowerBound + 1..<container.range.upperBound - 1
      bytes.replaceSubrange(inside, with: Array(text.utf8))
      return
    }
    let space = bytes[container.range.lowerBound + 1..<first.wholeStart]
    let separator = space.contains(UInt8(ascii: "\n")) ? Array(space) : [UInt8(ascii: " ")]
    bytes.insert(
      contentsOf: [UInt8(ascii: ",")] + separator + Array(text.utf8), at: last.range.upperBound)
  }

  private mutating func removeChild(_ child: JSONNode, of container: JSONNode) {
    let children = container.children
    guard let place = children.firstIndex(where: { $0.range == child.range }) else { return }
    let cut: Range<Int>
    if place > 0 {
      cut = children[place - 1].range.upperBound..<child.range.upperBound
    } else if children.count > 1 {
      cut = child.wholeStart..<children[1].wholeStart
    } else {
      cut = container.range.lowerBound + 1..<container.range.upperBound - 1
    }
    bytes.removeSubrange(cut)
  }

  /// Adds a step to the recipe's own list, before the step that is at `place` there.
  package mutating func insert(_ step: JSON, at place: Int) throws(Obstacle) {
    let root = try root()
    guard let list = root["filters"], list.isArray else {
      return append("filters", .array([step]), to: root)
    }
    if let id = step.stepID, step["filter"] != nil,
      list.children.contains(where: { Self.id(of: $0) == id })
    {
      throw .known(id)
    }
    let children = list.children
    let place = max(0, place)
    guard place < children.count else { return append(step.spacedText, to: list) }
    let next = children[place]
    let space = bytes[list.range.lowerBound + 1..<children[0].range.lowerBound]
    let separator = space.contains(UInt8(ascii: "\n")) ? Array(space) : [UInt8(ascii: " ")]
    bytes.insert(
      contentsOf: Array(step.spacedText.utf8) + [UInt8(ascii: ",")] + separator,
      at: next.range.lowerBound)
  }

  /// Removes a step that this text contains.
  package mutating func removeStep(_ id: String) throws(Obstacle) {
    let root = try root()
    for list in Self.lists(root) {
      guard let step = list.children.first(where: { Self.id(of: $0) == id }) else { continue }
      return removeChild(step, of: list)
    }
    throw .inherited(id)
  }

  /// Moves a step that this text contains to another place in its list; the text between the steps
  /// stays unchanged.
  package mutating func moveStep(_ id: String, to place: Int) throws(Obstacle) {
    let root = try root()
    for list in Self.lists(root) {
      let steps = list.children
      guard let from = steps.firstIndex(where: { Self.id(of: $0) == id }) else { continue }
      var texts = steps.map { Array(bytes[$0.range]) }
      texts.insert(texts.remove(at: from), at: min(max(0, place), steps.count - 1))
      for (step, text) in zip(steps, texts).reversed() {
        bytes.replaceSubrange(step.range, with: text)
      }
      return
    }
    throw .inherited(id)
  }
}

extension JSONNode {
  /// The offsets of the value's text.
  fileprivate var range: Range<Int> { bytes.startIndex..<bytes.endIndex }

  /// The offset of the member's key, or of the element.
  fileprivate var wholeStart: Int {
    guard let start = member.keyLocation?.offset, start >= 0, !key.isEmpty else {
      return range.lowerBound
    }
    return start
  }
}

extension JSON {
  /// The value on one line, with spaces after commas and colons.
  package var spacedText: String {
    switch value {
    case .array(let elements): "[\(elements.map(\.spacedText).joined(separator: ", "))]"
    case .object(let object):
      "{"
        + object.members.map { "\(JSON.string($0.key).compactText): \($0.value.spacedText)" }
        .joined(separator: ", ") + "}"
    default: compactText
    }
  }
}
