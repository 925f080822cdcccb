import FileStructure
import Notation

/// Texts in other encodings than that of most tags.
extension EXIF {
  /// A text that Windows wrote; nil if there is none.
  ///
  /// It is UTF-16 with the low byte first, whatever the order of the block, and ends with a NUL.
  func windowsText(_ tag: EXIFTag) -> String? {
    self[tag].flatMap { Self.utf16($0.bytes[...], .little) }
  }

  /// The items of a list that Windows wrote.
  func windowsItems(_ tag: EXIFTag) -> [String] {
    (windowsText(tag) ?? "").split(separator: ";").map { String($0).trimmed }
      .filter { !$0.isEmpty }
  }

  /// The text of a tag that begins with the name of the text's encoding; nil if it is empty, or in
  /// an encoding that cannot be read.
  ///
  /// - Source: CIPA DC-008-2023 (Exif 3.0), 4.6.5 (UserComment).
  func encodedText(_ tag: EXIFTag) -> String? {
    guard let entry = self[tag] else { return nil }
    let (name, text) = (entry.bytes.prefix(8), entry.bytes.dropFirst(8))
    if entry.isUTF16(in: tag.directory) { return Self.utf16(text, order) }
    guard name.starts(with: "ASCII".utf8) || name.allSatisfy({ $0 == 0 }) else { return nil }
    return Self.usable(String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
  }

  /// A text up to its first NUL, in the usual byte order if it has no mark; nil if it is empty.
  private static func utf16(_ bytes: ArraySlice<UInt8>, _ usual: ByteOrder) -> String? {
    let mark = Array(bytes.prefix(2))
    let order = mark == [0xFF, 0xFE] ? .little : mark == [0xFE, 0xFF] ? .big : usual
    let text = mark == order.bytes(0xFEFF, 2) ? Array(bytes.dropFirst(2)) : Array(bytes)
    let units = stride(from: 0, to: text.count - 1, by: 2).compactMap {
      text.number(at: $0, 2, order).map { UInt16($0) }
    }
    return usable(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
  }

  /// The text without white space at both ends; nil if it is empty or has too many combining
  /// marks.
  private static func usable(_ text: String) -> String? {
    let trimmed = text.trimmed
    return trimmed.isEmpty || trimmed.hasTooManyMarks ? nil : trimmed
  }
}

extension EXIF.Entry {
  /// The name of UTF-16 at the beginning of a value.
  static let utf16 = Array("UNICODE\0".utf8)

  /// True if the value is a text in UTF-16, in the byte order of the block, after the name of this
  /// encoding.
  func isUTF16(in directory: EXIF.Directory) -> Bool {
    EXIFTag.encodedTexts.contains(EXIFTag(directory, tag)) && bytes.starts(with: Self.utf16)
  }
}
