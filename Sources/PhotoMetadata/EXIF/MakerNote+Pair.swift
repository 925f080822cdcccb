import FileStructure

extension EXIF {
  /// The identifier that links an iPhone's photo to the film of its Live Photo; nil if there is
  /// none.
  ///
  /// - Source: ExifTool 12.57, `Apple.pm`, tag 0x0011.
  public var pairIdentifier: String? {
    guard let note = self[.makerNote]?.bytes, let place = MakerNote.pairPlace(in: note) else {
      return nil
    }
    return String(decoding: note[place.value].prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Replaces the identifier by another one of the same length, or removes it if `identifier` is
  /// nil.
  ///
  /// Without a MakerNote, the identifier gets a note of its own.
  public mutating func setPairIdentifier(_ identifier: String?) {
    guard let note = self[.makerNote] else {
      let bytes = identifier.map(MakerNote.paired)
      let tag = EXIFTag.makerNote
      if let bytes {
        set(Entry(tag: tag.number, type: .undefined, bytes: bytes), in: tag.directory)
      }
      return
    }
    guard let place = MakerNote.pairPlace(in: note.bytes) else { return }
    var bytes = note.bytes
    let text = Array((identifier ?? "").utf8)
    let padding = max(0, place.value.count - text.count)
    bytes.replaceSubrange(
      place.value,
      with: text.prefix(place.value.count) + [UInt8](repeating: 0, count: padding))
    if identifier == nil { MakerNote.removeEntry(at: place.entry, from: &bytes) }
    set(Entry(tag: note.tag, type: note.type, bytes: bytes), in: EXIFTag.makerNote.directory)
  }
}

extension EXIF.Entry {
  /// True for a MakerNote that states only the identifier of a Live Photo.
  var isPairNote: Bool {
    guard tag == EXIFTag.makerNote.number, let place = MakerNote.pairPlace(in: bytes) else {
      return false
    }
    return bytes == MakerNote.paired(String(decoding: bytes[place.value].dropLast(), as: UTF8.self))
  }
}

extension MakerNote {
  /// Apple's MakerNote with no tag but the identifier of a Live Photo.
  fileprivate static func paired(_ identifier: String) -> [UInt8] {
    let (order, text) = (ByteOrder.big, Array(identifier.utf8) + [0])
    let head = appleSignature + [0, 1] + Array("MM".utf8)
    let entry = order.bytes(0x0011, 2) + order.bytes(Int(TIFFType.ascii.rawValue), 2)
    let place = head.count + 2 + 12 + 4
    return head + order.bytes(1, 2) + entry + order.bytes(text.count, 4) + order.bytes(place, 4)
      + order.bytes(0, 4) + text
  }

  /// The number of bytes before the byte order in Apple's MakerNote: a signature and a version.
  private static let appleHead = 12
  private static let appleSignature = Array("Apple iOS\0".utf8)

  /// The offset of the entry of tag 0x0011 in Apple's MakerNote, and the range of the entry's text;
  /// nil if the note has no such tag.
  ///
  /// The note is a TIFF directory with a byte order of its own; offsets count from the start of the
  /// note.
  fileprivate static func pairPlace(in note: [UInt8]) -> (entry: Int, value: Range<Int>)? {
    guard note.starts(with: appleSignature) else { return nil }
    let order = self.order(of: note)
    for entry in entries(of: 0x0011, .ascii, in: note, at: appleHead + 2, order) {
      guard let length = note.number(at: entry + 4, 4, order), length > 4,
        let start = note.number(at: entry + 8, 4, order), start <= note.count,
        length <= note.count - start
      else { continue }
      return (entry, start..<(start + length))
    }
    return nil
  }

  private static func order(of note: [UInt8]) -> ByteOrder {
    note.dropFirst(appleHead).first == UInt8(ascii: "I") ? .little : .big
  }

  /// Removes an entry of the directory.
  ///
  /// The later entries and the offset of the next directory move up by one entry; all other bytes
  /// keep their offsets.
  fileprivate static func removeEntry(at entry: Int, from note: inout [UInt8]) {
    let order = order(of: note)
    guard let count = note.number(at: appleHead + 2, 2, order), count > 0 else { return }
    let end = min(note.count, appleHead + 4 + 12 * count + 4)
    guard entry + 12 <= end else { return }
    note.replaceSubrange(
      entry..<end, with: note[(entry + 12)..<end] + [UInt8](repeating: 0, count: 12))
    note.replaceSubrange(
      (appleHead + 2)..<(appleHead + 4), with: order.bytes(count - 1, 2))
  }
}
