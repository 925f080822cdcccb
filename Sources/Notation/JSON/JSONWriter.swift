extension JSON {
  /// The value as canonical text: sorted keys, two-space indent, a newline at the end.
  ///
  /// Keys are sorted by their UTF-8 bytes, and numbers keep their spelling; otherwise the text
  /// equals the output of `jq -S .`.
  public var canonicalText: String {
    var text = ""
    write(to: &text, layout: .indented(0))
    return text + "\n"
  }

  /// The value as canonical text on one line without spaces; digests of values are computed from
  /// this text.
  public var compactText: String {
    var text = ""
    write(to: &text, layout: .compact)
    return text
  }

  private enum Layout {
    case compact
    case indented(Int)

    var deeper: Layout {
      switch self {
      case .compact: .compact
      case .indented(let depth): .indented(depth + 1)
      }
    }

    var lineBreak: String {
      switch self {
      case .compact: ""
      case .indented(let depth): "\n" + String(repeating: "  ", count: depth)
      }
    }

    var colon: String {
      switch self {
      case .compact: ":"
      case .indented: ": "
      }
    }
  }

  private func write(to text: inout String, layout: Layout) {
    switch value {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .number(let number): text += number
    case .string(let string): Self.write(string, to: &text)
    case .array(let elements):
      Self.list(elements, in: ("[", "]"), to: &text, layout) { element, text in
        element.write(to: &text, layout: layout.deeper)
      }
    case .object(let object):
      let sorted = object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      Self.list(sorted, in: ("{", "}"), to: &text, layout) { member, text in
        Self.write(member.key, to: &text)
        text += layout.colon
        member.value.write(to: &text, layout: layout.deeper)
      }
    }
  }

  private static func list<Element>(
    _ elements: [Element], in brackets: (String, String), to text: inout String, _ layout: Layout,
    each: (Element, inout String) -> Void
  ) {
    text += brackets.0
    for (index, element) in elements.enumerated() {
      text += (index == 0 ? "" : ",") + layout.deeper.lineBreak
      each(element, &text)
    }
    text += (elements.isEmpty ? "" : layout.lineBreak) + brackets.1
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..<" ", "\u{7F}":
        text += "\\u" + scalar.value.digits(4, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
