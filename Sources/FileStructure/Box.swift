/// A box of the ISO base media format, as in HEIC, AVIF, JPEG XL and JPEG 2000 files.
///
/// - Source: ISO/IEC 14496-12:2022, 4.2.
package struct Box {
  package let name: String
  package let offset: Int
  package let headLength: Int
  /// The length in bytes, including the head.
  package let length: Int
  /// True if the length field is 0, which means that the box extends to the end of the file.
  package let isOpen: Bool

  package var content: Range<Int> { (offset + headLength)..<(offset + length) }
  package var end: Int { offset + length }

  private static let mostBoxes = 10_000

  /// The boxes in a range of a file, up to the first box that exceeds the range.
  package static func all(in source: ByteSource, _ range: Range<Int>) -> [Box] {
    var boxes: [Box] = []
    var offset = range.lowerBound
    while offset <= range.upperBound - 8, boxes.count < mostBoxes {
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

  /// The bytes of a box with this name and content.
  package static func bytes(_ name: String, _ content: [UInt8]) -> [UInt8] {
    ByteOrder.big.bytes(content.count + 8, 4) + Array(name.utf8) + content
  }
}
