/// A JSON value with its position in the document and the spelling of its numbers.
///
/// Two values are equal if they have the same content, regardless of their positions. Objects keep
/// the order of their members, and numbers their spelling, so that content unknown to phbatch
/// survives a rewrite.
public struct JSON: Sendable {
  public enum Value: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number in its original spelling, such as `1.50` or `1e3`.
    case number(String)
    case string(String)
    case array([JSON])
    case object(Object)
  }

  public var value: Value
  public var location: SourceLocation?

  public init(_ value: Value, at location: SourceLocation? = nil) {
    self.value = value
    self.location = location
  }
}

extension JSON: Hashable {
  public static func == (a: JSON, b: JSON) -> Bool { a.value == b.value }
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension JSON {
  /// The members of an object in their original order; each key occurs once.
  public struct Object: Sendable {
    public struct Member: Sendable {
      public let key: String
      public let keyLocation: SourceLocation?
      public var value: JSON

      public init(_ key: String, _ value: JSON, at keyLocation: SourceLocation? = nil) {
        self.key = key
        self.keyLocation = keyLocation
        self.value = value
      }
    }

    public private(set) var members: [Member]

    public init(_ members: [Member] = []) { self.members = members }

    public var keys: [String] { members.map(\.key) }

    public subscript(key: String) -> JSON? {
      get { members.first { $0.key == key }?.value }
      set {
        switch (members.firstIndex { $0.key == key }, newValue) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(Member(key, value, at: value.location))
        case (nil, nil): break
        }
      }
    }

    public mutating func append(_ member: Member) { members.append(member) }

    /// Replaces the member with the same key, or appends the member.
    package mutating func set(_ member: Member) {
      if let index = members.firstIndex(where: { $0.key == member.key }) {
        members[index] = member
      } else {
        members.append(member)
      }
    }
  }
}

extension JSON.Object: Hashable {
  public static func == (a: Self, b: Self) -> Bool {
    a.members.count == b.members.count
      && a.sortedMembers.elementsEqual(b.sortedMembers) { $0.key == $1.key && $0.value == $1.value }
  }

  public func hash(into hasher: inout Hasher) {
    for member in sortedMembers {
      hasher.combine(member.key)
      hasher.combine(member.value)
    }
  }
}

extension JSON {
  public static var null: JSON { JSON(.null) }
  public static func bool(_ flag: Bool) -> JSON { JSON(.bool(flag)) }
  public static func string(_ text: String) -> JSON { JSON(.string(text)) }
  public static func integer(_ number: Int) -> JSON { JSON(.number(String(number))) }
  public static func array(_ elements: [JSON]) -> JSON { JSON(.array(elements)) }

  /// Creates a number with the shortest spelling that reads back as `number`.
  ///
  /// JSON cannot express infinity and NaN: they become null, as in `JSON.stringify` of ECMAScript.
  public static func number(_ number: Double) -> JSON {
    guard number.isFinite else { return .null }
    let whole = number == number.rounded() && abs(number) < 1e15
    return JSON(.number(whole ? String(Int(number)) : "\(number)"))
  }

  public static func object(_ members: KeyValuePairs<String, JSON>) -> JSON {
    JSON(.object(Object(members.map { Object.Member($0.key, $0.value) })))
  }

  public static func object(_ object: Object) -> JSON { JSON(.object(object)) }

  public var string: String? { if case .string(let text) = value { text } else { nil } }
  public var bool: Bool? { if case .bool(let flag) = value { flag } else { nil } }
  public var array: [JSON]? { if case .array(let elements) = value { elements } else { nil } }
  public var object: Object? { if case .object(let object) = value { object } else { nil } }
  /// The number; nil if the value is not a number or is not finite as a double.
  public var number: Double? {
    guard case .number(let text) = value, let number = Double(text), number.isFinite else {
      return nil
    }
    return number
  }
  /// The integer; nil if the value is not an integer or exceeds the range of `Int`.
  public var integer: Int? { number.flatMap { Int(exactly: $0) } }

  public subscript(key: String) -> JSON? { object?[key] }

  /// The position of a character of a string, counted from 1; nil if the string contains escapes,
  /// or differs from its source text.
  package func location(ofCharacter position: Int) -> SourceLocation? {
    guard let text = string, let location else { return nil }
    let bytes = location.source.bytes
    guard bytes.dropFirst(location.offset).starts(with: "\"\(text)\"".utf8) else { return nil }
    let before = text.unicodeScalars.prefix(position - 1).reduce(1) { $0 + UTF8.width($1) }
    return SourceLocation(source: location.source, offset: location.offset + before)
  }

  /// A description of the value for a message, cut to a few characters.
  public var summary: String {
    switch value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let text): String(text.prefix(40))
    case .string(let text): "the string \"\(text.prefix(40))\""
    case .array(let elements): elements.isEmpty ? "an empty array" : "an array of \(elements.count)"
    case .object: "an object"
    }
  }
}
