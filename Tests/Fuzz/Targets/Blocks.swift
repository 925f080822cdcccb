extension FuzzTarget {
  /// EXIF directories, in the APP1 segment of a JPEG file.
  static let exif = FuzzTarget("exif") { walk(jpeg(0xE1, "Exif\0\0", $0)) }

  /// IPTC records, in Photoshop's block in the APP13 segment of a JPEG file.
  static let iptc = FuzzTarget("iptc") { bytes in
    let records = Array(bytes.prefix(60_000))
    let length = [UInt8(records.count >> 8), UInt8(records.count & 0xFF)]
    let head = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0] + length
    walk(jpeg(0xED, "Photoshop 3.0\0", head + records + [0]))
  }

  /// An XMP packet that is embedded in a file.
  ///
  /// Its reader and writer differ from those of XMP sidecars.
  static let packet = FuzzTarget("packet") {
    walk(jpeg(0xE1, "http://ns.adobe.com/xap/1.0/\0", $0))
  }

  /// A JPEG file with one segment.
  private static func jpeg(_ marker: UInt8, _ signature: String, _ content: [UInt8]) -> [UInt8] {
    let payload = Array(signature.utf8) + content.prefix(65_000)
    let length = [UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)]
    return [0xFF, 0xD8, 0xFF, marker] + length + payload + [0xFF, 0xD9]
  }
}
