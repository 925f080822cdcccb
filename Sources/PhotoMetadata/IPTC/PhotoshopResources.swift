import FileStructure

/// Photoshop's blocks in JPEG and TIFF files; one of them contains IPTC.
///
/// - Source: Adobe Photoshop File Formats Specification, 2019, "Image Resource Blocks".
enum PhotoshopResources {
  static let iptc = 0x0404

  /// The content of the first block with this number; nil if there is none or it is truncated.
  static func content(of number: Int, in bytes: [UInt8]) -> [UInt8]? {
    var offset = 0
    while bytes.name(at: offset) == "8BIM" {
      guard let found = bytes.number(at: offset + 4, 2, .big),
        let name = bytes.number(at: offset + 6, 1, .big)
      else { return nil }
      // The name with its length byte, and the content, are padded to even lengths.
      let place = offset + 6 + (name + 2) / 2 * 2
      guard let length = bytes.number(at: place, 4, .big), length <= bytes.count - place - 4 else {
        return nil
      }
      if found == number { return Array(bytes[(place + 4)..<(place + 4 + length)]) }
      offset = place + 4 + (length + 1) / 2 * 2
    }
    return nil
  }

  /// The bytes of a block without a name.
  static func block(_ number: Int, _ content: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + ByteOrder.big.bytes(number, 2) + [0, 0]
      + ByteOrder.big.bytes(content.count, 4) + content
      + (content.count.isMultiple(of: 2) ? [] : [0])
  }
}
