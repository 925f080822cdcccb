extension JSON {
  /// The value as canonical text: sorted keys, two-space indent, a newline at the end.
  ///
  /// Keys are sorted by their UTF-8 bytes, and numbers keep their spelling; otherwise the text
  /// equals the output of `jq -S .`.
  public var canonicalText: String { String(decoding: canonicalBytes, as: UTF8.self) }

  /// The UTF-8 bytes of `canonicalText`.
  public var canonicalBytes: [UInt8] {
    var text: [UInt8] = []
    write(to: &text, depth: 0)
    text.append(UInt8(ascii: "\n"))
    return text
  }

  /// The value as canonical text on one line without spaces; digests of values are computed from
  /// this text.
  public var compactText: String { String(decoding: compactBytes, as: UTF8.self) }

  /// The UTF-8 bytes of `compactText`.
  public var compactBytes: [UInt8] {
    var text: [UInt8] = []
    write(to: &text, depth: nil)
    return text
  }

  /// Appends the text of the value.
  ///
  /// `depth` is the depth of the indent; nil for compact text.
  private func write(to text: inout [UInt8], depth: Int?) {
    switch value {
    case .null: text.append(contentsOf: "null".utf8)
    case .bool(let flag): text.append(contentsOf: (flag ? "true" : "false").utf8)
    case .number(let number): text.append(contentsOf: number.utf8)
    case .string(let string): Self.write(string, to: &text)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        Self.beginElement(index, to: &text, depth)
        element.write(to: &text, depth: depth.map { $0 + 1 })
      }
      if !elements.isEmpty { Self.breakLine(to: &text, depth) }
      text.append(UInt8(ascii: "]"))
    case .object(let object):
      text.append(UInt8(ascii: "{"))
      for (index, member) in object.sortedMembers.enumerated() {
        Self.beginElement(index, to: &text, depth)
        Self.write(member.key, to: &text)
        text.append(UInt8(ascii: ":"))
        if depth != nil { text.append(UInt8(ascii: " ")) }
        member.value.write(to: &text, depth: depth.map { $0 + 1 })
      }
      if !object.members.isEmpty { Self.breakLine(to: &text, depth) }
      text.append(UInt8(ascii: "}"))
    }
  }

  private static func beginElement(_ index: Int, to text: inout [UInt8], _ depth: Int?) {
    if index > 0 { text.append(UInt8(ascii: ",")) }
    breakLine(to: &text, depth.map { $0 + 1 })
  }

  private static func breakLine(to text: inout [UInt8], _ depth: Int?) {
    guard let depth else { return }
    text.append(UInt8(ascii: "\n"))
    for _ in 0..<(2 * depth) { text.append(UInt8(ascii: " ")) }
  }

  private static func write(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    // Most strings have no character that must be escaped.
    if string.utf8.allSatisfy(isPlain) {
      text.append(contentsOf: string.utf8)
    } else {
      for byte in string.utf8 { writeEscaped(byte, to: &text) }
    }
    text.append(UInt8(ascii: "\""))
  }

  /// True if a byte of a string is written as it is.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func writeEscaped(_ byte: UInt8, to text: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""): text.append(contentsOf: "\\\"".utf8)
    case UInt8(ascii: "\\"): text.append(contentsOf: "\\\\".utf8)
    case 0x08: text.append(contentsOf: "\\b".utf8)
    case 0x0C: text.append(contentsOf: "\\f".utf8)
    case UInt8(ascii: "\n"): text.append(contentsOf: "\\n".utf8)
    case UInt8(ascii: "\r"): text.append(contentsOf: "\\r".utf8)
    case UInt8(ascii: "\t"): text.append(contentsOf: "\\t".utf8)
    case 0..<0x20, 0x7F: text.append(contentsOf: "\\u\(byte.digits(4, radix: 16))".utf8)
    default: text.append(byte)
    }
  }
}

extension JSON.Object {
  /// The members in the order of the UTF-8 bytes of their keys.
  var sortedMembers: [Member] {
    let isSorted = zip(members, members.dropFirst()).allSatisfy { first, second in
      first.key.utf8.lexicographicallyPrecedes(second.key.utf8)
    }
    if isSorted { return members }
    return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
