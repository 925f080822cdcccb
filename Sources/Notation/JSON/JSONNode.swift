/// One value of a `JSONTable`.
public struct JSONNode: Sendable {
  let table: JSONTable
  let index: Int

  private var entry: JSONTable.Entry { table.entries[index] }

  /// The bytes of the value's source text.
  public var bytes: ArraySlice<UInt8> {
    let entry = entry
    return table.source.bytes[Int(entry.start)..<Int(entry.end)]
  }

  public var isObject: Bool { entry.kind == .object }
  public var isArray: Bool { entry.kind == .array }

  public var string: String? {
    let entry = entry
    guard entry.kind == .string else { return nil }
    let text = table.source.bytes[Int(entry.start) + 1..<Int(entry.end) - 1]
    return JSONTable.text(text, entry.isEscaped)
  }

  public var bool: Bool? {
    switch entry.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The integer; nil if the value is not an integer or exceeds the range of `Int`.
  public var integer: Int? {
    guard entry.kind == .number else { return nil }
    let text = bytes
    // A fast path for integers of at most fifteen digits. The result is the same as with `json`,
    // which reads numbers as doubles: a double represents these integers exactly.
    guard text.count <= 15, text.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
      return json.integer
    }
    return text.reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
  }

  /// The value of the member with a key; nil if there is none.
  public subscript(key: String) -> JSONNode? {
    guard isObject else { return nil }
    var place = index + 1
    while place < Int(entry.next) {
      let member = table.entries[place]
      if table.key(of: member, is: key) { return JSONNode(table: table, index: place) }
      place = Int(member.next)
    }
    return nil
  }

  /// The members of an object or the elements of an array, in their order.
  public var children: [JSONNode] {
    guard isObject || isArray else { return [] }
    var children: [JSONNode] = []
    var place = index + 1
    while place < Int(entry.next) {
      children.append(JSONNode(table: table, index: place))
      place = Int(table.entries[place].next)
    }
    return children
  }

  /// The key of a member of an object.
  public var key: String { table.key(of: entry) }

  /// The members of an object with keys other than `keys`; fastest if `keys` are sorted.
  public func members(besides keys: [String]) -> JSON.Object {
    var others = JSON.Object()
    guard isObject else { return others }
    let end = Int(entry.next)
    var (place, expected) = (index + 1, 0)
    while place < end {
      let member = table.entries[place]
      // Members and `keys` are usually both sorted, so the search for a member's key begins after
      // the last key found.
      let rest = keys[expected...].firstIndex { table.key(of: member, is: $0) }
      if let found = rest ?? keys[..<expected].firstIndex(where: { table.key(of: member, is: $0) })
      {
        expected = found + 1
      } else {
        others.append(JSONNode(table: table, index: place).member)
      }
      place = Int(member.next)
    }
    return others
  }
}

extension JSONNode {
  public var location: SourceLocation {
    SourceLocation(source: table.source, offset: Int(entry.start))
  }

  public var path: JSONPath {
    guard entry.parent >= 0 else { return .root }
    let parent = JSONNode(table: table, index: Int(entry.parent))
    if parent.isObject { return parent.path.key(key) }
    return parent.path.index(parent.children.firstIndex { $0.index == index } ?? 0)
  }

  /// The value with all values inside it.
  public var json: JSON {
    let value: JSON.Value =
      switch entry.kind {
      case .null: .null
      case .true: .bool(true)
      case .false: .bool(false)
      case .number: .number(String(decoding: bytes, as: UTF8.self))
      case .string: .string(string ?? "")
      case .array: .array(children.map(\.json))
      case .object: .object(JSON.Object(children.map(\.member)))
      }
    return JSON(value, at: location)
  }

  /// A member of an object with its key.
  public var member: JSON.Object.Member {
    let place = SourceLocation(source: table.source, offset: Int(entry.keyStart) - 1)
    return JSON.Object.Member(key, json, at: place)
  }
}

extension JSONTable {
  fileprivate func key(of entry: Entry) -> String {
    let text = source.bytes[Int(entry.keyStart)..<Int(entry.keyEnd)]
    return Self.text(text, entry.isKeyEscaped) ?? ""
  }

  fileprivate func key(of entry: Entry, is key: String) -> Bool {
    if entry.isKeyEscaped { return self.key(of: entry) == key }
    var place = Int(entry.keyStart)
    guard Int(entry.keyEnd) - place == key.utf8.count else { return false }
    for byte in key.utf8 {
      if source.bytes[place] != byte { return false }
      place += 1
    }
    return true
  }
}
