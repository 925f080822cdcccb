/// Inserts chunks into PNG files.
enum PNGChunks {
  /// Returns the file with a chunk inserted after its header.
  static func adding(_ name: String, _ data: [UInt8], to png: [UInt8]) -> [UInt8] {
    // The signature and IHDR have 33 bytes.
    let checked = Array(name.utf8) + data
    let chunk = bytes(UInt32(data.count)) + checked + bytes(checksum(checked))
    return Array(png[..<33]) + chunk + png[33...]
  }

  static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The CRC-32 of a chunk.
  ///
  /// - Source: PNG Specification, 3rd edition, annex D.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    return ~sum
  }
}
