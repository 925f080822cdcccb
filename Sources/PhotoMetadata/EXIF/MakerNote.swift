/// The camera maker's own tags: bytes whose inside is nobody else's.
enum MakerNote {
  /// Whether offsets within it count from its own start and its byte order is its own, so that it
  /// can be moved; other makers count from the start of the EXIF block.
  ///
  /// - Source: the MakerNotes table of ExifTool 12.57, entries whose `Base` is `$start + …`.
  static func isMovable(_ bytes: [UInt8]) -> Bool {
    let signatures = [
      "Apple iOS\0", "Nikon\0\u{2}", "OLYMPUS\0", "OM SYSTEM\0", "FUJIFILM", "PENTAX \0", "HDRP",
    ]
    return signatures.contains { bytes.starts(with: $0.utf8) }
  }
}
