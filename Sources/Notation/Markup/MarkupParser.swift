/// A parser for XML 1.0 with namespaces, limited to the parts that sidecars use and that are
/// harmless.
///
/// It supports only the five predefined entities of XML, so that nothing expands and no file is
/// fetched. It skips a document type (`<!DOCTYPE>`) without declarations, and refuses one with
/// declarations. It does not check the characters of names. Foundation's `XMLParser` is not used,
/// because it leaves prefixes of attributes unresolved and has no limit of depth.
/// - Source: W3C, Extensible Markup Language 1.0 (5th edition); Namespaces in XML 1.0.
package struct MarkupParser {
  package static let depthLimit = 100
  package static let attributeLimit = 4_096

  private let bytes: [UInt8]
  private var offset = 0
  private var open: [OpenElement] = []
  /// The namespaces of each prefix that the open elements declare, the innermost last; an empty
  /// prefix stands for names without a prefix.
  private var namespaces = [
    "": [""], "xml": ["http://www.w3.org/XML/1998/namespace"],
    "xmlns": ["http://www.w3.org/2000/xmlns/"],
  ]

  private struct OpenElement {
    let written: String
    var element: MarkupElement
    var text: [UInt8] = []
    /// The prefixes that the element declares.
    let prefixes: [String]
  }

  /// Parses a document, and returns its root element.
  package static func parse(_ bytes: [UInt8]) throws(MarkupFailure) -> MarkupElement {
    let text: [UInt8]
    do throws(MarkupError) { text = try utf8(bytes) } catch {
      throw MarkupFailure(error, line: 1, column: 1)
    }
    var parser = MarkupParser(bytes: text)
    do throws(MarkupError) { return try parser.document() } catch {
      let source = SourceText(name: "", bytes: text)
      let (line, column) = source.position(of: parser.offset)
      throw MarkupFailure(error, line: line, column: column)
    }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func document() throws(MarkupError) -> MarkupElement {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    skip("\u{FEFF}")
    while offset < bytes.count {
      if let root = try piece() {
        try rest()
        return root
      }
    }
    throw open.isEmpty ? .expected("an element") : .unexpectedEnd
  }

  /// Checks that only comments and white space follow the root.
  private mutating func rest() throws(MarkupError) {
    while offset < bytes.count {
      if skipSpace() { continue }
      if skip("<!--") {
        try skip(past: "-->")
      } else if skip("<?") {
        try skip(past: "?>")
      } else {
        // Ignores NULs, which some writers append to sidecars.
        guard bytes[offset...].allSatisfy({ $0 == 0 }) else { throw .expected("nothing more") }
        return
      }
    }
  }

  /// Reads up to the end of the next tag, text or comment.
  ///
  /// Returns the root element after reading its end tag, otherwise nil.
  private mutating func piece() throws(MarkupError) -> MarkupElement? {
    if skip("<!--") {
      try skip(past: "-->")
    } else if skip("<![CDATA[") {
      let start = offset
      try skip(past: "]]>")
      try append(bytes[start..<offset - 3])
    } else if skip("<!DOCTYPE") {
      try skipType()
    } else if skip("<?") {
      try skip(past: "?>")
    } else if skip("</") {
      return try endTag()
    } else if skip("<") {
      return try startTag()
    } else {
      try characters()
    }
    return nil
  }

  private mutating func startTag() throws(MarkupError) -> MarkupElement? {
    guard open.count < Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit) }
    let written = try name()
    var pairs: [(name: String, value: String)] = []
    var seen: Set<String> = []
    var isEmpty = false
    while true {
      let isApart = skipSpace()
      if skip("/>") {
        isEmpty = true
        break
      }
      if skip(">") { break }
      guard isApart else { throw offset < bytes.count ? .expected("a space") : .unexpectedEnd }
      let attribute = try name()
      guard seen.insert(attribute).inserted else { throw .duplicateAttribute(attribute) }
      guard pairs.count < Self.attributeLimit else {
        throw .tooManyAttributes(limit: Self.attributeLimit)
      }
      pairs.append((attribute, try value()))
    }
    var prefixes: [String] = []
    for pair in pairs {
      guard let prefix = Self.declaredPrefix(pair.name) else { continue }
      prefixes.append(prefix)
      namespaces[prefix, default: []].append(pair.value)
    }
    var attributes: [MarkupElement.Attribute] = []
    for pair in pairs where Self.declaredPrefix(pair.name) == nil {
      let name = try resolve(pair.name, isAttribute: true)
      attributes.append(MarkupElement.Attribute(name, pair.value))
    }
    let name = try resolve(written, isAttribute: false)
    let element = MarkupElement(name, attributes: attributes)
    open.append(OpenElement(written: written, element: element, prefixes: prefixes))
    return isEmpty ? try close() : nil
  }

  /// The prefix that an attribute with this name declares; nil if it is not a declaration.
  private static func declaredPrefix(_ name: String) -> String? {
    if name == "xmlns" { return "" }
    return name.hasPrefix("xmlns:") ? String(name.dropFirst(6)) : nil
  }

  private mutating func endTag() throws(MarkupError) -> MarkupElement? {
    let found = try name()
    guard let expected = open.last?.written else { throw .expected("an element") }
    guard found == expected else { throw .wrongEnd(expected: expected, found: found) }
    skipSpace()
    guard skip(">") else { throw offset < bytes.count ? .expected("'>'") : .unexpectedEnd }
    return try close()
  }

  /// Closes the innermost open element: adds it to its parent, or returns it if it has no parent.
  private mutating func close() throws(MarkupError) -> MarkupElement? {
    guard let inner = open.popLast() else { return nil }
    for prefix in inner.prefixes { namespaces[prefix]?.removeLast() }
    var element = inner.element
    element.text = try Self.text(inner.text[...])
    guard !open.isEmpty else { return element }
    open[open.count - 1].element.children.append(element)
    return nil
  }

  private func resolve(_ written: String, isAttribute: Bool) throws(MarkupError) -> MarkupName {
    guard let colon = written.firstIndex(of: ":") else {
      return MarkupName(isAttribute ? "" : namespaces[""]?.last ?? "", written)
    }
    let prefix = String(written[..<colon])
    guard let namespace = namespaces[prefix]?.last else { throw .unboundPrefix(prefix) }
    return MarkupName(namespace, String(written[written.index(after: colon)...]))
  }

  private mutating func name() throws(MarkupError) -> String {
    let start = offset
    while offset < bytes.count, !Self.endsName.contains(bytes[offset]) { offset += 1 }
    guard offset > start else {
      throw offset < bytes.count ? .expected("a name") : .unexpectedEnd
    }
    return try Self.text(bytes[start..<offset])
  }

  private static func text(_ bytes: ArraySlice<UInt8>) throws(MarkupError) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.hasTooManyMarks else { throw .tooManyMarks(limit: String.markLimit) }
    return text
  }

  private static let endsName = Set(" \t\r\n=/><\"'&;![]()?\0".utf8)

  private mutating func value() throws(MarkupError) -> String {
    skipSpace()
    guard skip("=") else { throw offset < bytes.count ? .expected("'='") : .unexpectedEnd }
    skipSpace()
    guard offset < bytes.count else { throw .unexpectedEnd }
    let quote = bytes[offset]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw .expected("a quotation mark")
    }
    offset += 1
    var value: [UInt8] = []
    while offset < bytes.count, bytes[offset] != quote {
      switch bytes[offset] {
      case UInt8(ascii: "<"): throw .expected("a quotation mark")
      case UInt8(ascii: "&"): value += try reference()
      default:
        value.append(bytes[offset])
        offset += 1
      }
    }
    guard offset < bytes.count else { throw .unexpectedEnd }
    offset += 1
    return try Self.text(value[...])
  }

  private mutating func characters() throws(MarkupError) {
    let start = offset
    if bytes[offset] == UInt8(ascii: "&") {
      return try append(try reference()[...])
    }
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "<"),
      bytes[offset] != UInt8(ascii: "&")
    {
      offset += 1
    }
    let text = bytes[start..<offset]
    if open.isEmpty {
      guard text.allSatisfy(Self.isSpace) else {
        offset = start
        throw .expected("an element")
      }
    } else {
      try append(text)
    }
  }

  private mutating func append(_ text: ArraySlice<UInt8>) throws(MarkupError) {
    guard !open.isEmpty else { throw .expected("an element") }
    open[open.count - 1].text += text
  }

  /// Reads a reference such as `&amp;` or `&#x41;`, and returns its value.
  private mutating func reference() throws(MarkupError) -> [UInt8] {
    let start = offset + 1
    guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw .expected("a reference such as '&amp;'")
    }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    if let character = Self.entities[name] {
      offset = end + 1
      return [character]
    }
    guard name.hasPrefix("#") else { throw .unknownEntity(name) }
    let isHexadecimal = name.hasPrefix("#x")
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number != 0,
      let scalar = Unicode.Scalar(number)
    else { throw .badCharacter }
    offset = end + 1
    return Array(String(Character(scalar)).utf8)
  }

  private static let entities: [String: UInt8] = [
    "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "amp": UInt8(ascii: "&"),
    "apos": UInt8(ascii: "'"), "quot": UInt8(ascii: "\""),
  ]

  private mutating func skipType() throws(MarkupError) {
    guard open.isEmpty else { throw .expected("an element") }
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: ">"):
        offset += 1
        return
      case UInt8(ascii: "["): throw .typeDeclaration
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let quote = bytes[offset]
        guard let end = bytes[(offset + 1)...].firstIndex(of: quote) else { throw .unexpectedEnd }
        offset = end + 1
      default: offset += 1
      }
    }
    throw .unexpectedEnd
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = offset
    while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
    return offset > start
  }

  @discardableResult
  private mutating func skip(_ text: StaticString) -> Bool {
    let isHere = text.withUTF8Buffer { unsafe bytes[offset...].starts(with: $0) }
    if isHere { offset += text.utf8CodeUnitCount }
    return isHere
  }

  private mutating func skip(past text: StaticString) throws(MarkupError) {
    while offset < bytes.count {
      if skip(text) { return }
      offset += 1
    }
    throw .unexpectedEnd
  }
}
