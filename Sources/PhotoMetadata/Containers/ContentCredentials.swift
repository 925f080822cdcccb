import FileStructure

/// The signed record of C2PA, which a file stores as a JUMBF superbox.
///
/// Other JUMBF boxes, as in JPEG 360 and JPEG Snack, are not content credentials.
/// - Source: C2PA Technical Specification 2.1, 11.1 and appendix A.3 to A.5; ISO/IEC 19566-5:2023,
///   A.2 and D.2.
enum ContentCredentials {
  /// The type of a manifest store: `c2pa` in ASCII, then the bytes that all types by ISO share.
  private static let type: [UInt8] = [
    0x63, 0x32, 0x70, 0x61, 0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]
  /// The length in bytes of the header of a box: its length and type.
  private static let head = 8

  /// True if `bytes` begin with the start of a C2PA superbox; the rest of the box may be missing.
  static func begin(_ bytes: [UInt8]) -> Bool {
    guard let length = bytes.number(at: 0, 4, .big), bytes.name(at: 4) == "jumb" else {
      return false
    }
    return areDescribed(by: Array(bytes.dropFirst(length == 1 ? 2 * head : head)))
  }

  /// True if the content of a superbox begins with C2PA's description box.
  static func areDescribed(by content: [UInt8]) -> Bool {
    content.name(at: 4) == "jumd" && content.dropFirst(head).starts(with: type)
  }

  /// The identifier of C2PA's `uuid` boxes.
  private static let identifier: [UInt8] = [
    0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
  ]
  /// The purposes of C2PA boxes that contain a manifest store; boxes of other purposes contain
  /// none.
  private static let purposes: Set<String> = ["manifest", "original", "update"]

  /// True if the content of a `uuid` box is a manifest store.
  ///
  /// Version and flags, the purpose and an offset of eight bytes precede the superbox.
  static func begin(uuid content: [UInt8]) -> Bool {
    guard content.starts(with: identifier) else { return false }
    var cursor = ByteCursor(content, at: identifier.count + 4)
    guard let purpose = cursor.text(), purposes.contains(purpose) else { return false }
    return begin(Array(content.dropFirst(cursor.offset + 8)))
  }

  /// True if the content of a JPEG segment begins with a superbox of C2PA.
  ///
  /// If a box fills several segments, its header is in the first. `JP`, the two-byte number of the
  /// box and the four-byte number of the segment precede the header.
  static func begin(segment content: [UInt8]) -> Bool {
    content.starts(with: Array("JP".utf8)) && begin(Array(content.dropFirst(8)))
  }
}
