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
    /// Neither the recipe nor the recipes that it extends declare a parameter with this name.
    case noParameter(String)
    /// The default of this parameter cannot be removed.
    case noDefault(String)
  }

  private func root() throws(Obstacle) -> JSONNode {
    guard let table = JSONTable(SourceText(name: "recipe", bytes: bytes)), table.root.isObject
    else { throw .unreadable }
    return table.root
  }

  /// The lists of steps: the recipe's own list, and the lists of its outputs.
  private static func lists(_ root: JSONNode) -> [(output: String?, steps: JSONNode)] {
    let outputs = (root["outputs"]?.children ?? []).map { ($0["name"]?.string, $0) }
    return ([(nil, root)] + outputs).compactMap { output, owner in
      guard let list = owner["filters"], list.isArray else { return nil }
      return (output, list)
    }
  }

  private static func id(of step: JSONNode) -> String? {
    step["id"]?.string ?? step["filter"]?.string
  }

  /// The list that contains a step; nil if this text does not contain the step.
  private static func list(of name: StepName, in root: JSONNode) -> JSONNode? {
    lists(root).first { list in
      list.output == name.output && list.steps.children.contains { id(of: $0) == name.id }
    }?.steps
  }

  /// The steps that this text contains itself.
  package var ownSteps: Set<StepName> {
    guard let root = try? root() else { return [] }
    let names = Self.lists(root).flatMap { output, list in
      list.children.compactMap(Self.id).map { StepName($0, output: output) }
    }
    return Set(names)
  }

  /// The text without steps and outputs of its own, so that it has those of the recipe that it
  /// extends; nil if it extends none.
  package var withoutOwnSteps: RecipeText? {
    guard let root = try? root(), root["extends"] != nil else { return nil }
    var other = self
    other.remove(["filters"], in: root)
    guard let root = try? other.root() else { return nil }
    other.remove(["outputs"], in: root)
    return other
  }

  /// Sets a setting of a step, or removes the setting if `value` is nil.
  ///
  /// For a step of the recipe that this one extends (one of `inherited`), the text gets an entry
  /// with the step's id and the setting. `path` is the setting's name, and the names inside it,
  /// such as `["mask", "radial", "radius"]`.
  package mutating func set(
    _ path: [String], of step: StepName, to value: JSON?, inherited: Set<StepName> = []
  ) throws(Obstacle) {
    let root = try root()
    let list = Self.list(of: step, in: root)
    if let own = list?.children.first(where: { Self.id(of: $0) == step.id }) {
      if let value { set(path[...], in: own, to: value) } else { remove(path[...], in: own) }
      return
    }
    guard inherited.contains(step) else { throw .noStep(step.id) }
    guard let value else { return }
    var entry = JSON.Object()
    entry["id"] = .string(step.id)
    entry[path[0]] = path.dropFirst().reversed().reduce(value) { inner, key in
      .object(JSON.Object([JSON.Object.Member(key, inner)]))
    }
    if let output = step.output {
      append(.object(entry), toOutput: output, in: root)
    } else {
      try insert(.object(entry), at: .max)
    }
  }

  /// Adds a step to the steps of an output, which this text may not mention yet.
  private mutating func append(_ step: JSON, toOutput name: String, in root: JSONNode) {
    let entry = JSON.object(["name": .string(name), "filters": .array([step])])
    guard let outputs = root["outputs"] else { return append("outputs", .array([entry]), to: root) }
    guard let output = outputs.children.first(where: { $0["name"]?.string == name }) else {
      return append(entry.spacedText, to: outputs)
    }
    guard let list = output["filters"] else { return append("filters", .array([step]), to: output) }
    append(step.spacedText, to: list)
  }

  /// Sets the default of a parameter.
  ///
  /// If only the recipe that this one extends declares the parameter, the text gets the same
  /// declaration, `declared`, with the new default.
  package mutating func setParameter(
    _ name: String, to value: JSON, declared: JSON
  ) throws(Obstacle) {
    let root = try root()
    let all = root["parameters"]
    if let own = all?[name] { return set(["default"], in: own, to: value) }
    var declaration = declared.object ?? JSON.Object()
    declaration["default"] = value
    if let all {
      append(name, .object(declaration), to: all)
    } else {
      let own = JSON.Object([JSON.Object.Member(name, .object(declaration))])
      append("parameters", .object(own), to: root)
    }
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
    // As lengths, `1.0` and `1` differ.
    if value.number == 1, member.json.number == 1 { return replace(member, with: value) }
    rewrite(member, as: value)
  }

  /// Changes a value to another one, where both differ; everything else in its text stays.
  private mutating func rewrite(_ node: JSONNode, as value: JSON) {
    if let number = value.number, number == node.json.number { return }
    let children = node.children
    // The last change comes first, so that the places of the others stay.
    switch value.value {
    case .array(let elements) where node.isArray && elements.count == children.count:
      for (child, element) in zip(children, elements).reversed() { rewrite(child, as: element) }
    case .object(let object)
    where node.isObject && children.first.map { object[$0.key] } ?? nil != nil:
      for added in object.members.reversed() where node[added.key] == nil {
        append(added.key, added.value, to: node)
      }
      for child in children.reversed() {
        if let part = object[child.key] {
          rewrite(child, as: part)
        } else {
          removeChild(child, of: node)
        }
      }
    default:
      replace(node, with: value)
    }
  }

  private mutating func replace(_ node: JSONNode, with value: JSON) {
    if value == node.json { return }
    bytes.replaceSubrange(node.range, with: Array(value.spacedText.utf8))
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
  package mutating func removeStep(_ name: StepName) throws(Obstacle) {
    let root = try root()
    guard let list = Self.list(of: name, in: root),
      let step = list.children.first(where: { Self.id(of: $0) == name.id })
    else { throw .inherited(name.id) }
    removeChild(step, of: list)
  }

  /// Moves a step that this text contains before another step of its list, or to the end of the
  /// list if `next` is nil; the text between the steps stays unchanged.
  package mutating func moveStep(_ name: StepName, before next: String?) throws(Obstacle) {
    let root = try root()
    guard let list = Self.list(of: name, in: root) else { throw .inherited(name.id) }
    let steps = list.children
    var ids = steps.map(Self.id)
    guard next != name.id, let from = ids.firstIndex(of: name.id) else { return }
    var texts = steps.map { Array(bytes[$0.range]) }
    let text = texts.remove(at: from)
    ids.remove(at: from)
    if let next {
      guard let place = ids.firstIndex(of: next) else { throw .inherited(next) }
      texts.insert(text, at: place)
    } else {
      texts.append(text)
    }
    for (step, text) in zip(steps, texts).reversed() {
      bytes.replaceSubrange(step.range, with: text)
    }
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
