extension EXIF {
  /// How much of a block is looked at: what no camera writes is no reason to fill the memory.
  enum Limits {
    static let entries = 2_000
    static let valueBytes = 4 << 20
    static let totalBytes = 16 << 20
  }

  /// Reads a block whose TIFF header stands at `start`; nil if there is none.
  ///
  /// Values that lie outside, and directories that lead to one another, are left out.
  init?(_ source: ByteSource, at start: Int = 0) {
    guard let file = TIFFFile(source, at: start) else { return nil }
    self.init(order: file.order)
    hasThumbnail = file.next(after: file.firstDirectory) != 0
    var budget = Limits.totalBytes
    var places: [Directory: Int] = [.primary: file.firstDirectory]
    var seen: Set<Int> = []
    for directory in Directory.allCases {
      guard let place = places[directory], seen.insert(place).inserted else { continue }
      for field in file.fields(at: place) {
        if let child = Directory.allCases.first(where: {
          $0.pointer == field.tag && $0.parent == directory
        }) {
          places[child] = file.pointer(field)
          continue
        }
        if directory == .primary && Self.isStructure(field.tag) { continue }
        guard let type = field.type, field.count > 0,
          field.count <= min(Limits.valueBytes, budget) / type.size,
          let bytes = file.value(field)
        else { continue }
        budget -= bytes.count
        let entry = Entry(tag: field.tag, type: type, bytes: bytes)
        set(entry, in: directory)
        if directory == .photo && field.tag == EXIFTag.makerNote.number {
          makerNoteOffset = file.offset(field) - start
        }
      }
    }
  }

  init?(_ bytes: [UInt8]) { self.init(.bytes(bytes)) }

  /// Tags of the first directory that say how pixels are stored, point to other pictures, or hold
  /// blocks that are no EXIF.
  static func isStructure(_ tag: UInt16) -> Bool {
    switch tag {
    case 0x00FE...0x0107, 0x010A, 0x0111, 0x0115...0x0119, 0x011C, 0x0120...0x0125, 0x012D,
      0x013D, 0x0140...0x015B, 0x0200...0x0214, 0x02BC, 0x80E3...0x80E5, 0x83BB, 0x8649,
      0x8773, 0x935C, 0x014A, 0xC4A5:
      true
    // Levels, matrices and previews of raw files: DNG 1.7.
    case 0xC612...0xC7FF, 0xCD00...0xCDFF: tag != 0xC614
    default: false
    }
  }
}
