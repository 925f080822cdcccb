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

  /// The same bytes without the small pictures that some cameras keep in them, which show the photo
  /// as it was: zeros stand in their places, so that offsets stay true.
  ///
  /// Casio, Minolta, Ricoh and others embed whole JPEG files.
  /// - Source: ITU-T T.81, B.1.1.3: start and end of image, and what may follow the start.
  static func withoutPictures(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    var place = 0
    while place + 6 <= result.count {
      guard isPicture(at: place, in: result) else {
        place += 1
        continue
      }
      var end = place + 6
      while end < result.count, !(result[end - 2] == 0xFF && result[end - 1] == 0xD9) { end += 1 }
      for index in place..<end { result[index] = 0 }
      place = end
    }
    return result
  }

  /// Start of image, then tables, a frame, or a segment of an application, then a marker.
  private static func isPicture(at place: Int, in bytes: [UInt8]) -> Bool {
    guard bytes[place] == 0xFF, bytes[place + 1] == 0xD8, bytes[place + 2] == 0xFF,
      [0xC0, 0xC4, 0xDB, 0xDD].contains(bytes[place + 3]) || bytes[place + 3] >> 4 == 0xE,
      let length = bytes.number(at: place + 4, 2, .big), length >= 2
    else { return false }
    let next = place + 4 + length
    return next < bytes.count && bytes[next] == 0xFF
  }
}
