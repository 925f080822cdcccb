import FileStructure

/// The camera maker's own tags, in a private format.
enum MakerNote {
  /// True if the MakerNote can be moved: it states its own byte order, and its offsets count from
  /// its own start.
  ///
  /// Other makers' offsets count from the start of the EXIF block.
  ///
  /// - Source: the MakerNotes table of ExifTool 12.57, entries whose `Base` is `$start + …`.
  static func isMovable(_ bytes: [UInt8]) -> Bool {
    let signatures = [
      "Apple iOS\0", "Nikon\0\u{2}", "OLYMPUS\0", "OM SYSTEM\0", "FUJIFILM", "PENTAX \0", "HDRP",
    ]
    return signatures.contains { bytes.starts(with: $0.utf8) }
  }

  /// The same bytes with zeros in place of embedded previews, which show the photo unedited; a preview
  /// at the end is cut off if a directory of the note states its length.
  ///
  /// Offsets remain valid. Casio, Minolta, Ricoh and other makers embed whole JPEG files.
  /// - Source: ITU-T T.81, B.1.1.3: start and end of image, and what may follow the start.
  static func withoutPictures(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    var place = 0
    var last = bytes.count
    while place + 6 <= result.count {
      guard isPicture(at: place, in: result) else {
        place += 1
        continue
      }
      var end = place + 6
      while end < result.count, !(result[end - 2] == 0xFF && result[end - 1] == 0xD9) { end += 1 }
      for index in place..<end { result[index] = 0 }
      (last, place) = (place, end)
    }
    return withoutEnd(result, from: last)
  }

  /// The offsets of the entries for a tag, of one of these types, in a directory of the note.
  static func entries(
    of tag: Int, _ types: TIFFType..., in note: [UInt8], at directory: Int, _ order: ByteOrder
  ) -> [Int] {
    let count = note.number(at: directory, 2, order) ?? 0
    return (0..<count).lazy.map { directory + 2 + 12 * $0 }.prefix { $0 + 12 <= note.count }
      .filter { entry in
        note.number(at: entry, 2, order) == tag
          && types.contains { note.number(at: entry + 2, 2, order) == Int($0.rawValue) }
      }
  }

  /// True if the bytes contain a JPEG file.
  static func holdPicture(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast(5).contains { isPicture(at: $0, in: bytes) }
  }

  /// The same bytes without the zeros from `start` to the end, which replace a preview, and with the
  /// length 0 in the directory of the preview; unchanged if no such directory is found.
  ///
  /// - Source: EXIF 2.32, 4.6.9.2: JPEGInterchangeFormatLength, which makers use for their previews.
  private static func withoutEnd(_ bytes: [UInt8], from start: Int) -> [UInt8] {
    guard start < bytes.count, bytes[start...].allSatisfy({ $0 == 0 }) else { return bytes }
    for order in [ByteOrder.little, .big] {
      let entry =
        order.bytes(0x0202, 2) + order.bytes(TIFFType.long.rawValue, 2)
        + order.bytes(1, 4)
      for place in stride(from: 0, to: start - 12, by: 1)
      where bytes[place] == entry[0] && bytes[place..<(place + 8)].elementsEqual(entry) {
        guard let length = bytes.number(at: place + 8, 4, order), length > 0,
          length <= bytes.count - start
        else { continue }
        var result = Array(bytes[..<start])
        for index in (place + 8)..<(place + 12) { result[index] = 0 }
        return result
      }
    }
    return bytes
  }

  /// True if a JPEG file begins at `place`: start of image, then a table, frame or application
  /// segment, then a marker.
  private static func isPicture(at place: Int, in bytes: [UInt8]) -> Bool {
    guard bytes[place] == 0xFF, bytes[place + 1] == 0xD8, bytes[place + 2] == 0xFF,
      [0xC0, 0xC4, 0xDB, 0xDD].contains(bytes[place + 3]) || bytes[place + 3] >> 4 == 0xE,
      let length = bytes.number(at: place + 4, 2, .big), length >= 2
    else { return false }
    let next = place + 4 + length
    return next < bytes.count && bytes[next] == 0xFF
  }
}

extension EXIF {
  /// Replaces previews in the MakerNote by zeros.
  mutating func removePictures() {
    guard let note = self[.makerNote] else { return }
    let bytes = MakerNote.withoutPictures(note.bytes)
    if bytes != note.bytes {
      set(Entry(tag: note.tag, type: note.type, bytes: bytes), in: EXIFTag.makerNote.directory)
    }
  }
}
