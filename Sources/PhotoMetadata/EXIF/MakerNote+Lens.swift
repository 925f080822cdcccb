import FileStructure

extension EXIF {
  /// The lens that the MakerNote of a Canon camera states; nil if there is none.
  ///
  /// Cameras before 2010 do not write it elsewhere.
  ///
  /// - Source: ExifTool 12.57, `Canon.pm`: tag 0x0095, and the last 8 bytes of the note.
  var canonLens: String? {
    guard text(.make)?.hasPrefix("Canon") == true, let note = self[.makerNote]?.bytes else {
      return nil
    }
    // Most notes end with their byte order and their original offset, from which offsets count also
    // after another program has moved the note.
    let end = TIFFHeader(.bytes(note), at: max(0, note.count - 8))
    let order = end?.order ?? order
    let places = [end?.firstDirectory, makerNoteOffset].compactMap(\.self).filter { $0 > 0 }
    for entry in MakerNote.entries(of: 0x0095, .ascii, in: note, at: 0, order) {
      guard let length = note.number(at: entry + 4, 4, order), length > 4, length <= 256,
        let place = note.number(at: entry + 8, 4, order)
      else { continue }
      for start in places.map({ place - $0 }) where start >= 0 && start <= note.count - length {
        let text = note[start..<(start + length)].prefix { $0 != 0 }
        guard !text.isEmpty, text.allSatisfy({ (0x20..<0x7F).contains($0) }) else { continue }
        return Entry(tag: 0x0095, type: .ascii, bytes: Array(text)).text
      }
    }
    return nil
  }
}
