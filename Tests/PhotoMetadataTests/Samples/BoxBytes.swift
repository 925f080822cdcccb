/// Creates boxes of the ISO base media format for tests.
enum BoxBytes {
  static func number(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(number >> (8 * (width - 1 - $0)) & 255) }
  }

  static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8, 4) + Array(name.utf8) + content
  }

  /// A box with a version, and with flags of 0.
  static func full(_ name: String, _ version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
    box(name, [version, 0, 0, 0] + content)
  }

  /// A file with items that have no bytes, and with further boxes in its `meta` box.
  static func items(_ items: [(number: Int, type: String)], _ others: [[UInt8]]) -> [UInt8] {
    let infos = items.map { item in
      full("infe", 2, number(item.number, 2) + [0, 0] + Array(item.type.utf8) + [0])
    }
    let list = full("iinf", 0, number(items.count, 2) + infos.joined())
    let places = others.contains { $0[4..<8].elementsEqual("iloc".utf8) }
    let empty = places ? [] : full("iloc", 0, [0x44, 0, 0, 0])
    return box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
      + full("meta", 0, full("pitm", 0, [0, 1]) + list + empty + others.joined())
  }

  /// The signature and the type of a JPEG XL file.
  static let jxlHead =
    [0, 0, 0, 12] + Array("JXL \r\n\u{87}\n".unicodeScalars.map { UInt8($0.value) })
    + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))

  /// The first bytes of a `uuid` box with XMP.
  static let xmpIdentifier: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
}
