/// The directories of a TIFF file or an EXIF block.
///
/// - Source: TIFF Revision 6.0, Adobe, 1992, section 2; BigTIFF: libtiff's design note.
struct TIFFFile {
  /// One entry of a directory, its value not yet read.
  struct Field {
    let tag: UInt16
    let type: TIFFType?
    let count: Int
    /// Where the value or the offset of it stands.
    let place: Int
  }

  let source: ByteSource
  let start: Int
  let order: ByteOrder
  let isBig: Bool
  /// From the start of the file.
  let firstDirectory: Int

  /// Nil where no TIFF header stands at `start`.
  init?(_ source: ByteSource, at start: Int = 0) {
    let head = source.bytes(at: start, 16)
    switch head.prefix(2) {
    case [0x49, 0x49]: order = .little
    case [0x4D, 0x4D]: order = .big
    default: return nil
    }
    switch head.number(at: 2, 2, order) {
    case 42: isBig = false
    case 43 where head.number(at: 4, 2, order) == 8: isBig = true
    default: return nil
    }
    guard let first = head.number(at: isBig ? 8 : 4, isBig ? 8 : 4, order), first >= 8,
      first < .max - start
    else { return nil }
    self.source = source
    self.start = start
    firstDirectory = start + first
  }

  /// Bytes of an offset or a count, of an entry, and of the number of entries.
  var offsetWidth: Int { isBig ? 8 : 4 }
  var entryWidth: Int { isBig ? 20 : 12 }
  var countWidth: Int { isBig ? 8 : 2 }

  /// The entries of a directory, at most `EXIF.Limits.entries`; none where it lies outside.
  func fields(at place: Int) -> [Field] {
    guard let count = source.number(at: place, countWidth, order) else { return [] }
    let wanted = min(count, EXIF.Limits.entries)
    let bytes = source.bytes(at: place + countWidth, wanted * entryWidth)
    return stride(from: 0, to: bytes.count - entryWidth + 1, by: entryWidth).compactMap { offset in
      guard let tag = bytes.number(at: offset, 2, order),
        let type = bytes.number(at: offset + 2, 2, order),
        let count = bytes.number(at: offset + 4, offsetWidth, order)
      else { return nil }
      return Field(
        tag: UInt16(tag), type: TIFFType(rawValue: type), count: count,
        place: place + countWidth + offset + 4 + offsetWidth)
    }
  }

  /// Where the directory after this one stands, from the start of the file; 0 for none.
  func next(after place: Int) -> Int {
    guard let count = source.number(at: place, countWidth, order), count < 1 << 16,
      let next = source.number(at: place + countWidth + count * entryWidth, offsetWidth, order),
      next != 0, next < .max - start
    else { return 0 }
    return start + next
  }

  /// Where a field's value stands in the file.
  func offset(_ field: Field) -> Int {
    guard let type = field.type, field.count <= offsetWidth / type.size else {
      let offset = source.number(at: field.place, offsetWidth, order) ?? 0
      return offset < .max - start ? start + offset : start
    }
    return field.place
  }

  /// The bytes of a field's values; nil where they lie outside or are more than `limit`.
  func value(_ field: Field, limit: Int = EXIF.Limits.valueBytes) -> [UInt8]? {
    guard let type = field.type, field.count <= limit / type.size else { return nil }
    return source.whole(at: offset(field), field.count * type.size, limit: limit)
  }

  /// Where the directory that a field points to stands in the file.
  func pointer(_ field: Field) -> Int? {
    guard field.count == 1, let type = field.type, type.size >= 4,
      let offset = source.number(at: field.place, type.size, order), offset >= 8,
      offset < .max - start
    else { return nil }
    return start + offset
  }
}
