/// A parser for strict JSON (RFC 8259) that keeps the position of every value.
///
/// A byte-order mark is ignored. The first syntax error ends the parsing. Duplicate keys are
/// reported, up to the limit of `Diagnostics`, and the first of each is used.
public struct JSONParser {
  /// The maximum depth of a document; recipes need six levels.
  public static let depthLimit = 64

  private let source: SourceText
  private let keepsLargeNumbers: Bool
  private var offset = 0
  /// The keys and indices that lead to the current value.
  private var trail: [Part] = []
  private var diagnostics = Diagnostics()

  /// Parses a document; returns its value, nil after a syntax error, and its diagnostics.
  ///
  /// A number that is not finite as a double is an error, unless `keepingLargeNumbers` is true.
  public static func parse(
    _ source: SourceText, keepingLargeNumbers: Bool = false
  ) -> (json: JSON?, diagnostics: Diagnostics) {
    var parser = JSONParser(source: source, keepsLargeNumbers: keepingLargeNumbers)
    do throws(SyntaxFailure) {
      return (try parser.document(), parser.diagnostics)
    } catch {
      let place = SourceLocation(source: source, offset: error.offset)
      var diagnostics = Diagnostics()
      diagnostics.add(.syntax(error.syntax), at: parser.path, place)
      diagnostics.append(parser.diagnostics)
      return (nil, diagnostics)
    }
  }

  private init(source: SourceText, keepsLargeNumbers: Bool) {
    self.source = source
    self.keepsLargeNumbers = keepsLargeNumbers
  }

  private enum Part {
    case key(String)
    case index(Int)
  }

  private var path: JSONPath {
    trail.reduce(.root) { path, part in
      switch part {
      case .key(let key): path.key(key)
      case .index(let index): path.index(index)
      }
    }
  }

  private struct SyntaxFailure: Error {
    let syntax: JSONSyntax
    let offset: Int
  }

  private func failure(_ syntax: JSONSyntax, at place: Int? = nil) -> SyntaxFailure {
    SyntaxFailure(syntax: syntax, offset: place ?? offset)
  }

  private func here(_ start: Int) -> SourceLocation {
    SourceLocation(source: source, offset: start)
  }

  private var current: UInt8? { offset < source.bytes.count ? source.bytes[offset] : nil }

  private mutating func document() throws(SyntaxFailure) -> JSON {
    try checkUTF8()
    offset = source.start
    skipSpace()
    if current == nil { throw failure(.empty) }
    let json = try value()
    skipSpace()
    if current != nil { throw failure(startsComment ? .comment : .trailing) }
    return json
  }

  private func checkUTF8() throws(SyntaxFailure) {
    var decoder = UTF8()
    var iterator = source.bytes.makeIterator()
    var position = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): position += UTF8.width(scalar)
      case .emptyInput: return
      case .error: throw failure(.notUTF8, at: position)
      }
    }
  }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
  }

  private var startsComment: Bool {
    current == UInt8(ascii: "/") || current == UInt8(ascii: "#")
  }

  private func unexpected(_ expected: String, in place: String) -> SyntaxFailure {
    if startsComment { return failure(.comment) }
    guard current != nil else {
      let last = source.bytes.lastIndex { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
      return failure(.unexpectedEnd(in: place), at: last.map { $0 + 1 })
    }
    let scalar = String(decoding: source.bytes[offset...].prefix(4), as: UTF8.self).first
    return failure(.unexpected(scalar.map { "'\($0)'" } ?? "a byte", expected: expected))
  }

  private mutating func value() throws(SyntaxFailure) -> JSON {
    let start = offset
    guard let byte = current else { throw unexpected("a value", in: "the document") }
    switch byte {
    case UInt8(ascii: "{"): return JSON(.object(try object()), at: here(start))
    case UInt8(ascii: "["): return JSON(.array(try array()), at: here(start))
    case UInt8(ascii: "\""): return JSON(.string(try string()), at: here(start))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"),
      UInt8(ascii: "."):
      return JSON(.number(try number()), at: here(start))
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      return JSON(try word(), at: here(start))
    default: throw unexpected("a value", in: "the document")
    }
  }

  private mutating func word() throws(SyntaxFailure) -> JSON.Value {
    let start = offset
    while let byte = current, isWordByte(byte) { offset += 1 }
    let text = String(decoding: source.bytes[start..<offset], as: UTF8.self)
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "NaN", "Infinity", "nan", "inf", "infinity": throw failure(.notANumber(text), at: start)
    default:
      throw failure(.unexpected("'\(text.prefix(40))'", expected: "a value"), at: start)
    }
  }

  private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private mutating func number() throws(SyntaxFailure) -> String {
    let start = offset
    while let byte = current, isWordByte(byte) { offset += 1 }
    let bytes = source.bytes[start..<offset]
    let text = String(decoding: bytes, as: UTF8.self)
    let shown = String(text.prefix(40))
    guard Self.isNumber(bytes) else { throw failure(.notANumber(shown), at: start) }
    guard keepsLargeNumbers || Double(text)?.isFinite == true else {
      throw failure(.hugeNumber(shown), at: start)
    }
    return text
  }

  /// True if the bytes are a number by the grammar of RFC 8259, section 6.
  private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    func digits() -> Int {
      let run = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(run.count)
      return run.count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let leadingZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    if whole == 0 || (leadingZero && whole > 1) { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      if digits() == 0 { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }

  private mutating func enter() throws(SyntaxFailure) {
    if trail.count >= Self.depthLimit { throw failure(.tooDeep(limit: Self.depthLimit)) }
    offset += 1
    skipSpace()
  }

  /// Reads a comma; throws if `end` follows it instead of another element.
  private mutating func comma(before end: UInt8) throws(SyntaxFailure) {
    let start = offset
    offset += 1
    skipSpace()
    if current == end { throw failure(.trailingComma, at: start) }
  }

  private mutating func array() throws(SyntaxFailure) -> [JSON] {
    try enter()
    var elements: [JSON] = []
    if current == UInt8(ascii: "]") {
      offset += 1
      return elements
    }
    while true {
      trail.append(.index(elements.count))
      elements.append(try value())
      trail.removeLast()
      skipSpace()
      switch current {
      case UInt8(ascii: ","): try comma(before: UInt8(ascii: "]"))
      case UInt8(ascii: "]"):
        offset += 1
        return elements
      default: throw unexpected("',' or ']'", in: "an array")
      }
    }
  }

  private mutating func object() throws(SyntaxFailure) -> JSON.Object {
    try enter()
    var object = JSON.Object()
    var seen: Set<String> = []
    if current == UInt8(ascii: "}") {
      offset += 1
      return object
    }
    while true {
      let start = offset
      guard current == UInt8(ascii: "\"") else {
        throw unexpected("a key in quotes", in: "an object")
      }
      let key = try string()
      skipSpace()
      guard current == UInt8(ascii: ":") else { throw unexpected("':'", in: "an object") }
      offset += 1
      skipSpace()
      trail.append(.key(key))
      let json = try value()
      if seen.insert(key).inserted {
        object.append(JSON.Object.Member(key, json, at: here(start)))
      } else if !diagnostics.isFull {
        diagnostics.add(.duplicateKey(key), at: path, here(start))
      }
      trail.removeLast()
      skipSpace()
      switch current {
      case UInt8(ascii: ","): try comma(before: UInt8(ascii: "}"))
      case UInt8(ascii: "}"):
        offset += 1
        return object
      default: throw unexpected("',' or '}'", in: "an object")
      }
    }
  }

  private mutating func string() throws(SyntaxFailure) -> String {
    let start = offset
    offset += 1
    var bytes: [UInt8] = []
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        let text = String(decoding: bytes, as: UTF8.self)
        guard !text.hasTooManyMarks else {
          throw failure(.tooManyMarks(limit: String.markLimit), at: start)
        }
        offset += 1
        return text
      case UInt8(ascii: "\\"): bytes += try escape()
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): throw failure(.lineBreak, at: start)
      case 0..<0x20: throw failure(.controlCharacter)
      default:
        bytes.append(byte)
        offset += 1
      }
    }
    throw failure(.unexpectedEnd(in: "a string"), at: start)
  }

  private mutating func escape() throws(SyntaxFailure) -> [UInt8] {
    let start = offset
    offset += 1
    guard let byte = current else { throw failure(.unexpectedEnd(in: "a string")) }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"):
      return Array(String(Character(try unicodeEscape(from: start))).utf8)
    default: throw failure(.badEscape, at: start)
    }
  }

  private mutating func unicodeEscape(from start: Int) throws(SyntaxFailure) -> Unicode.Scalar {
    guard let high = hexDigits() else { throw failure(.badEscape, at: start) }
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard (0xD800..<0xDC00).contains(high), source.bytes[offset...].starts(with: Array(#"\u"#.utf8))
    else { throw failure(.loneSurrogate, at: start) }
    let second = offset
    offset += 2
    guard let low = hexDigits() else { throw failure(.badEscape, at: second) }
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw failure(.loneSurrogate, at: start) }
    return scalar
  }

  private mutating func hexDigits() -> UInt32? {
    let text = source.bytes[offset...].prefix(4)
    guard text.count == 4, text.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      return nil
    }
    offset += 4
    return UInt32(String(decoding: text, as: UTF8.self), radix: 16)
  }
}
