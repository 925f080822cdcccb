/// The first bytes of a TIFF file or an EXIF block.
///
/// - Source: TIFF Revision 6.0, Adobe, 1992, section 2; BigTIFF: libtiff's design note.
package struct TIFFHeader {
  package let order: ByteOrder
  /// True for BigTIFF, which has eight-byte offsets and counts.
  package let isBig: Bool
  /// The offset of the first directory, counted from the header; nil if it cannot be read.
  package let firstDirectory: Int?
  fileprivate let hasUsualWidth: Bool

  /// Reads the header; nil if there is no TIFF header at `start`.
  ///
  /// `makersVersion` is a number that a maker of cameras writes instead of TIFF's version 42.
  package init?(_ source: ByteSource, at start: Int = 0, makersVersion: Int? = nil) {
    let head = source.bytes(at: start, 16)
    switch head.prefix(2) {
    case [0x49, 0x49]: order = .little
    case [0x4D, 0x4D]: order = .big
    default: return nil
    }
    switch head.number(at: 2, 2, order) {
    case nil: return nil
    case 42, makersVersion: isBig = false
    case 43: isBig = true
    default: return nil
    }
    hasUsualWidth = !isBig || head.number(at: 4, 2, order) == 8
    firstDirectory = head.number(at: isBig ? 8 : 4, isBig ? 8 : 4, order)
  }

  /// The number of bytes of an offset, and of the count of values in a directory entry.
  ///
  /// `entryWidth` is the number of bytes of a directory entry. `countWidth` is the number of bytes
  /// of the field that states how many entries a directory has.
  package var offsetWidth: Int { isBig ? 8 : 4 }
  package var entryWidth: Int { isBig ? 20 : 12 }
  package var countWidth: Int { isBig ? 8 : 2 }
}

/// The directories of a TIFF file or an EXIF block.
///
/// - Source: TIFF Revision 6.0, Adobe, 1992, section 2; BigTIFF: libtiff's design note.
package struct TIFFFile {
  /// One entry of a directory; its value is not yet read.
  package struct Field {
    package let tag: UInt16
    package let type: TIFFType?
    package let count: Int
    /// The offset of the entry's value field, which contains the value itself or the value's
    /// offset.
    package let place: Int
  }

  /// The maximum number of entries that are read from a directory, and the maximum bytes that are
  /// read of a value.
  ///
  /// Without these limits, damaged counts could fill the memory.
  package static let mostEntries = 2_000
  package static let longestValue = 4 << 20

  package let source: ByteSource
  package let start: Int
  package let header: TIFFHeader
  /// The offset of the first directory from the start of the file.
  package let firstDirectory: Int

  /// Reads the header; nil if there is no TIFF header with a usable offset at `start`.
  ///
  /// `makersVersion` is a number that a maker of cameras writes instead of TIFF's version 42.
  package init?(_ source: ByteSource, at start: Int = 0, makersVersion: Int? = nil) {
    guard let header = TIFFHeader(source, at: start, makersVersion: makersVersion),
      header.hasUsualWidth,
      let first = header.firstDirectory, first >= 8, first < .max - start
    else { return nil }
    self.source = source
    self.start = start
    self.header = header
    firstDirectory = start + first
  }

  package var order: ByteOrder { header.order }
  package var isBig: Bool { header.isBig }
  package var offsetWidth: Int { header.offsetWidth }
  package var entryWidth: Int { header.entryWidth }
  package var countWidth: Int { header.countWidth }

  /// The number of entries that a directory states; nil if the directory is outside the file.
  package func entryCount(at place: Int) -> Int? {
    source.number(at: place, countWidth, order)
  }

  /// The entries of a directory, at most `mostEntries`; empty if the directory is outside the file.
  package func fields(at place: Int) -> [Field] {
    guard let count = entryCount(at: place) else { return [] }
    let bytes = source.bytes(
      at: place + countWidth, min(count, Self.mostEntries) * entryWidth)
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

  /// The field of the first directory with this tag; nil if there is none.
  package func field(_ tag: UInt16) -> Field? {
    fields(at: firstDirectory).first { $0.tag == tag }
  }

  /// The offset, from the start of the file, of the directory that follows the directory at
  /// `place`; 0 if none follows.
  package func next(after place: Int) -> Int {
    guard let count = entryCount(at: place), count < 1 << 16,
      let next = source.number(at: place + countWidth + count * entryWidth, offsetWidth, order),
      next != 0, next < .max - start
    else { return 0 }
    return start + next
  }

  /// The offset of a field's value from the start of the file.
  package func offset(_ field: Field) -> Int {
    guard let type = field.type, field.count <= offsetWidth / type.size else {
      let offset = source.number(at: field.place, offsetWidth, order) ?? 0
      return offset < .max - start ? start + offset : start
    }
    return field.place
  }

  /// The bytes of a field's values; nil if they are outside the file or more than `limit`.
  package func value(_ field: Field, limit: Int = longestValue) -> [UInt8]? {
    guard let type = field.type, field.count <= limit / type.size else { return nil }
    return source.whole(at: offset(field), field.count * type.size, limit: limit)
  }

  /// The unsigned integers of a field; nil if they are outside the file or have more than `limit`
  /// bytes.
  package func numbers(_ field: Field, limit: Int) -> [Int]? {
    guard let width = field.type?.size, let bytes = value(field, limit: limit) else { return nil }
    return stride(from: 0, to: bytes.count, by: width).compactMap {
      bytes.number(at: $0, width, order)
    }
  }

  /// The offset, from the start of the file, of the directory to which a field points; nil if the
  /// field contains no offset of a directory.
  package func pointer(_ field: Field) -> Int? {
    guard field.count == 1, let type = field.type, type.size >= 4,
      let offset = source.number(at: field.place, type.size, order), offset >= 8,
      offset < .max - start
    else { return nil }
    return start + offset
  }
}

/// The type of a value in a TIFF directory.
///
/// - Source: TIFF Revision 6.0, Adobe, 1992, section 2; BigTIFF (libtiff); Exif 3.0, 4.6.2.
package enum TIFFType: Int, Sendable {
  case byte = 1
  case ascii = 2
  case short = 3
  case long = 4
  case rational = 5
  case signedByte = 6
  case undefined = 7
  case signedShort = 8
  case signedLong = 9
  case signedRational = 10
  case float = 11
  case double = 12
  case directory = 13
  case long8 = 16
  case signedLong8 = 17
  case directory8 = 18
  case utf8 = 129

  /// The number of bytes of one value.
  package var size: Int {
    switch self {
    case .byte, .ascii, .signedByte, .undefined, .utf8: 1
    case .short, .signedShort: 2
    case .long, .signedLong, .float, .directory: 4
    case .rational, .signedRational, .double, .long8, .signedLong8, .directory8: 8
    }
  }

  /// The number of bytes that are swapped together when the byte order changes; a fraction consists
  /// of two integers, which are swapped separately.
  package var unit: Int {
    switch self {
    case .rational, .signedRational: 4
    default: size
    }
  }
}
