/// Records the positions of the values of a JSON text in one pass.
struct JSONTableReader {
  /// The error for a text that `JSONParser` would not accept.
  struct Flaw: Error {}

  private typealias Entry = JSONTable.Entry

  private let bytes: [UInt8]
  private var offset: Int
  private var depth = 0
  private var entries: [Entry] = []

  init(_ source: SourceText) {
    bytes = source.bytes
    offset = source.start
  }

  mutating func document() throws(Flaw) -> [JSONTable.Entry] {
    let isASCII = bytes.reduce(0 as UInt8, |) < 0x80
    if !isASCII && String(validating: bytes, as: UTF8.self) == nil { throw Flaw() }
    entries.reserveCapacity(bytes.count / 16)
    skipSpace()
    try value(in: -1)
    skipSpace()
    if offset < bytes.count { throw Flaw() }
    return entries
  }

  private mutating func skipSpace() {
    while offset < bytes.count {
      let byte = bytes[offset]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
        return
      }
      offset += 1
    }
  }

  private func current() throws(Flaw) -> UInt8 {
    guard offset < bytes.count else { throw Flaw() }
    return bytes[offset]
  }

  private mutating func take(_ byte: UInt8) throws(Flaw) {
    guard try current() == byte else { throw Flaw() }
    offset += 1
  }

  /// Reads a value, appends its entry, and returns the entry's index.
  @discardableResult
  private mutating func value(
    in parent: Int32, key: (range: Range<Int>, isEscaped: Bool) = (0..<0, false)
  ) throws(Flaw) -> Int {
    let index = entries.count
    var entry = Entry(kind: .null, start: Int32(offset), parent: parent)
    entry.keyStart = Int32(key.range.lowerBound)
    entry.keyEnd = Int32(key.range.upperBound)
    entry.isKeyEscaped = key.isEscaped
    entries.append(entry)
    switch try current() {
    case UInt8(ascii: "\""):
      entries[index].kind = .string
      entries[index].isEscaped = try string().isEscaped
    case UInt8(ascii: "{"):
      entries[index].kind = .object
      try object(Int32(index))
    case UInt8(ascii: "["):
      entries[index].kind = .array
      try array(Int32(index))
    case UInt8(ascii: "t"): entries[index].kind = try word("true", .true)
    case UInt8(ascii: "f"): entries[index].kind = try word("false", .false)
    case UInt8(ascii: "n"): entries[index].kind = try word("null", .null)
    default:
      entries[index].kind = .number
      try number()
    }
    entries[index].end = Int32(offset)
    entries[index].next = Int32(entries.count)
    return index
  }

  private mutating func word(_ text: String, _ kind: JSONTable.Kind) throws(Flaw) -> JSONTable.Kind
  {
    for byte in text.utf8 { try take(byte) }
    if offset < bytes.count, Self.isWordByte(bytes[offset]) { throw Flaw() }
    return kind
  }

  /// True for a byte that can be part of a word or a number.
  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Reads a number by the grammar of RFC 8259, section 6.
  private mutating func number() throws(Flaw) {
    if try current() == UInt8(ascii: "-") { offset += 1 }
    let leadingZero = try current() == UInt8(ascii: "0")
    let whole = digits()
    if whole == 0 || (leadingZero && whole > 1) { throw Flaw() }
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      if digits() == 0 { throw Flaw() }
    }
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      let sign = try current()
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset += 1 }
      if digits() == 0 { throw Flaw() }
    }
    if offset < bytes.count, Self.isWordByte(bytes[offset]) { throw Flaw() }
  }

  private mutating func digits() -> Int {
    let start = offset
    while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
    return offset - start
  }

  /// Reads a string, and returns the range between its quotes.
  private mutating func string() throws(Flaw) -> (range: Range<Int>, isEscaped: Bool) {
    try take(UInt8(ascii: "\""))
    let start = offset
    var isEscaped = false
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        // Only a long text can have too many marks.
        let isLong = offset - start > 2 * String.markLimit
        if isLong, JSONTable.text(bytes[start..<offset], isEscaped) == nil { throw Flaw() }
        offset += 1
        return (start..<offset - 1, isEscaped)
      }
      if byte < 0x20 { throw Flaw() }
      offset += 1
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        try escape()
      }
    }
    throw Flaw()
  }

  /// Reads the rest of an escape, after the backslash.
  private mutating func escape() throws(Flaw) {
    let byte = try current()
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      break
    case UInt8(ascii: "u"):
      let high = try hexDigits()
      if (0xDC00..<0xE000).contains(high) { throw Flaw() }
      guard (0xD800..<0xDC00).contains(high) else { return }
      try take(UInt8(ascii: "\\"))
      try take(UInt8(ascii: "u"))
      guard (0xDC00..<0xE000).contains(try hexDigits()) else { throw Flaw() }
    default: throw Flaw()
    }
  }

  private mutating func hexDigits() throws(Flaw) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = try current()
      let digit: UInt8 =
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: throw Flaw()
        }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }

  private mutating func enter() throws(Flaw) {
    if depth >= JSONParser.depthLimit { throw Flaw() }
    depth += 1
    offset += 1
    skipSpace()
  }

  /// Reads the comma or the end after a member; returns true after a comma.
  private mutating func goesOn(until end: UInt8) throws(Flaw) -> Bool {
    skipSpace()
    let byte = try current()
    offset += 1
    if byte == end {
      depth -= 1
      return false
    }
    guard byte == UInt8(ascii: ",") else { throw Flaw() }
    skipSpace()
    if try current() == end { throw Flaw() }
    return true
  }

  private mutating func array(_ index: Int32) throws(Flaw) {
    try enter()
    if try current() == UInt8(ascii: "]") {
      offset += 1
      depth -= 1
      return
    }
    repeat { try value(in: index) } while try goesOn(until: UInt8(ascii: "]"))
  }

  private mutating func object(_ index: Int32) throws(Flaw) {
    try enter()
    if try current() == UInt8(ascii: "}") {
      offset += 1
      depth -= 1
      return
    }
    var last: Range<Int>?
    // Ascending keys cannot be equal, so they need no further check; phbatch writes only ascending
    // keys.
    var isAscending = true
    repeat {
      let key = try string()
      if isAscending {
        isAscending = !key.isEscaped && (last.map { precedes($0, key.range) } ?? true)
        last = key.range
      }
      skipSpace()
      try take(UInt8(ascii: ":"))
      skipSpace()
      try value(in: index, key: key)
    } while try goesOn(until: UInt8(ascii: "}"))
    if !isAscending { try checkKeys(of: index) }
  }

  /// True if the second key sorts after the first.
  ///
  /// Also false if a comparison of non-ASCII characters would decide.
  private func precedes(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
    var (left, right) = (first.lowerBound, second.lowerBound)
    while left < first.upperBound, right < second.upperBound {
      if bytes[left] != bytes[right] { return bytes[left] < bytes[right] && bytes[right] < 0x80 }
      if bytes[left] >= 0x80 { return false }
      left += 1
      right += 1
    }
    return left == first.upperBound && right < second.upperBound && bytes[right] < 0x80
  }

  /// Throws if two keys are equal as texts.
  private func checkKeys(of index: Int32) throws(Flaw) {
    var seen: Set<String> = []
    for entry in entries[Int(index)...] where entry.parent == index {
      let key = bytes[Int(entry.keyStart)..<Int(entry.keyEnd)]
      guard let text = JSONTable.text(key, entry.isKeyEscaped), seen.insert(text).inserted else {
        throw Flaw()
      }
    }
  }
}

extension JSONTable {
  /// Decodes a valid string from the text between its quotes; nil if it has too many combining
  /// marks.
  static func text(_ bytes: ArraySlice<UInt8>, _ isEscaped: Bool) -> String? {
    if isEscaped {
      let source = SourceText(name: "", bytes: [0x22] + bytes + [0x22])
      return JSONParser.parse(source).json?.string
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasTooManyMarks ? nil : text
  }
}
