/// The boxes of an ISO base media file: HEIC, AVIF, JPEG XL.
///
/// - Source: ISO/IEC 14496-12:2022, 4.2.
struct Box {
  let name: String
  let offset: Int
  let headLength: Int
  /// With the head.
  let length: Int
  /// Whether it says that it goes on to the end of the file.
  let isOpen: Bool

  var content: Range<Int> { (offset + headLength)..<(offset + length) }
  var end: Int { offset + length }

  /// The boxes in a part of a file, up to the first that does not fit into it.
  static func all(in source: ByteSource, _ range: Range<Int>) -> [Box] {
    var boxes: [Box] = []
    var offset = range.lowerBound
    while offset <= range.upperBound - 8, boxes.count < 10_000 {
      let head = source.bytes(at: offset, 16)
      guard let short = head.number(at: 0, 4, .big), let name = head.name(at: 4) else { break }
      let headLength = short == 1 ? 16 : 8
      let length: Int? =
        switch short {
        case 0: range.upperBound - offset
        case 1: head.number(at: 8, 8, .big)
        default: short
        }
      guard let length, length >= headLength, length <= range.upperBound - offset else { break }
      boxes.append(
        Box(
          name: name, offset: offset, headLength: headLength, length: length, isOpen: short == 0))
      offset += length
    }
    return boxes
  }

  /// A box of a name and its content.
  static func bytes(_ name: String, _ content: [UInt8]) -> [UInt8] {
    ByteOrder.big.bytes(content.count + 8, 4) + Array(name.utf8) + content
  }
}

/// Reads numbers one after the other; after the end all are nil.
struct ByteCursor {
  let bytes: [UInt8]
  var offset = 0

  init(_ bytes: [UInt8], at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  mutating func number(_ width: Int) -> Int? {
    if width == 0 { return 0 }
    defer { offset += width }
    return bytes.number(at: offset, width, .big)
  }

  mutating func name() -> String? {
    defer { offset += 4 }
    return bytes.name(at: offset)
  }

  /// Bytes up to a NUL, which is passed over.
  mutating func text() -> String? {
    guard offset <= bytes.count, let end = bytes[offset...].firstIndex(of: 0) else { return nil }
    defer { offset = end + 1 }
    return String(decoding: bytes[offset..<end], as: UTF8.self)
  }

  /// What is left.
  var rest: [UInt8] { offset <= bytes.count ? Array(bytes[offset...]) : [] }
}
