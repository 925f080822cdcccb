extension MarkupParser {
  /// Converts the bytes to UTF-8.
  ///
  /// UTF-16 text is recognised by its byte-order mark, or by its first `<`.
  ///
  /// - Throws: `.notUTF8` for text in UTF-16 that is not valid.
  package static func utf8(_ bytes: [UInt8]) throws(MarkupError) -> [UInt8] {
    let isBig: Bool
    switch bytes.prefix(2) {
    case [0xFF, 0xFE], [UInt8(ascii: "<"), 0]: isBig = false
    case [0xFE, 0xFF], [0, UInt8(ascii: "<")]: isBig = true
    default: return bytes
    }
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw .notUTF8 }
    return Array(text.utf8)
  }
}
