import TestSupport

/// Files with headers that state impossible values.
enum HostileHeader {
  /// A PNG file of one pixel with a header that states this size; its checksums are correct.
  static func png(_ width: Int, _ height: Int) -> [UInt8] {
    let size = [width, height].flatMap { number in
      (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) }
    }
    // The row of one black pixel, as zlib stores it.
    let pixels: [UInt8] = [0x78, 0x01, 1, 4, 0, 0xFB, 0xFF, 0, 0, 0, 0, 0, 4, 0, 1]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", size + [8, 2, 0, 0, 0]) + chunk("IDAT", pixels) + chunk("IEND", [])
  }

  /// A JPEG file with a frame header that states this size.
  static func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
    var file = try SyntheticPhoto.jpeg(width: 16, height: 16)
    guard
      let frame = file.indices.dropLast(9).first(where: { file[$0] == 0xFF && file[$0 + 1] == 0xC0 }
      )
    else { return [] }
    let size = [height, width].flatMap { [UInt8($0 >> 8 & 255), UInt8($0 & 255)] }
    file.replaceSubrange((frame + 5)..<(frame + 9), with: size)
    return file
  }

  /// A GIF file of one pixel that states this size for its screen and its frame.
  static func gif(_ width: Int, _ height: Int) -> [UInt8] {
    let size = [width, height].flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255)] }
    return Array("GIF89a".utf8) + size + [0x80, 0, 0, 0, 0, 0, 255, 255, 255] + frame(size) + [0x3B]
  }

  /// A GIF file with this number of frames of one pixel.
  static func animation(frames: Int) -> [UInt8] {
    let size: [UInt8] = [1, 0, 1, 0]
    let one = [0x21, 0xF9, 4, 0, 2, 0, 0, 0] + frame(size)
    return Array("GIF89a".utf8) + size + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
      + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
      + (0..<frames).flatMap { _ in one } + [0x3B]
  }

  private static func frame(_ size: [UInt8]) -> [UInt8] {
    [0x2C, 0, 0, 0, 0] + size + [0, 2, 2, 0x44, 1, 0]
  }

  /// A little-endian TIFF file of one strip that states this size.
  static func tiff(_ width: Int, _ height: Int) -> [UInt8] {
    func bytes(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(number >> (8 * $0) & 255) }
    }
    let entries = [
      (256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 110), (277, 1),
      (278, height), (279, 1),
    ]
    return [0x49, 0x49, 42, 0, 8, 0, 0, 0] + bytes(entries.count, 2)
      + entries.flatMap { bytes($0.0, 2) + bytes(4, 2) + bytes(1, 4) + bytes($0.1, 4) }
      + bytes(0, 4) + [UInt8](repeating: 7, count: 8)
  }

  /// The file with a segment inserted after its first two bytes.
  static func jpeg(_ file: [UInt8], adding marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count + 2
    return file.prefix(2) + [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
      + file.dropFirst(2)
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(name.utf8) + data
    func bytes(_ number: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) }
    }
    return bytes(UInt32(data.count)) + checked + bytes(checksum(checked))
  }

  /// CRC-32.
  ///
  /// - Source: PNG Specification, 3rd edition, annex D.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
      }
    }
  }
}
