import FileStructure
import Notation
import PhotoRecipes

/// The tags of a photo in the directories of an EXIF block or a TIFF file, without the thumbnail's.
///
/// libexif is unsuitable: it reads neither TIFF files nor BigTIFF, rewrites MakerNotes, and is C
/// code that would read hostile bytes.
/// - Source: CIPA DC-008-2023 (Exif 3.0), 4.6; TIFF Revision 6.0, Adobe, 1992, section 2.
public struct EXIF: Sendable, Hashable {
  public enum Directory: Int, Sendable, Hashable, CaseIterable {
    /// IFD0, which describes the picture.
    case primary
    /// The Exif IFD, which describes how the picture was taken.
    case photo
    case gps
    case interoperability

    /// The tag in the parent directory that contains this directory's offset; nil for the first
    /// directory.
    var pointer: UInt16? {
      switch self {
      case .primary: nil
      case .photo: 0x8769
      case .gps: 0x8825
      case .interoperability: 0xA005
      }
    }

    var parent: Directory { self == .interoperability ? .photo : .primary }
  }

  struct Entry: Sendable, Hashable {
    let tag: UInt16
    let type: TIFFType
    /// The value in the block's byte order.
    let bytes: [UInt8]

    var count: Int { bytes.count / type.size }
  }

  var order: ByteOrder
  /// The tags of each directory, sorted by number; each number occurs once.
  private(set) var entries: [Directory: [Entry]] = [:]
  /// The MakerNote's offset from the start of the block; the note must stay there if offsets in it
  /// count from the start of the block.
  var makerNoteOffset: Int?
  /// True if a second directory, which describes a thumbnail, follows the first.
  var hasThumbnail = false

  init(order: ByteOrder = .little) { self.order = order }

  /// True if there are no tags.
  public var isEmpty: Bool { entries.values.allSatisfy(\.isEmpty) }

  subscript(_ directory: Directory) -> [Entry] { entries[directory] ?? [] }

  subscript(_ tag: EXIFTag) -> Entry? {
    self[tag.directory].first { $0.tag == tag.number }
  }

  mutating func set(_ entry: Entry, in directory: Directory) {
    var list = self[directory]
    if let index = list.firstIndex(where: { $0.tag >= entry.tag }) {
      if list[index].tag == entry.tag { list[index] = entry } else { list.insert(entry, at: index) }
    } else {
      list.append(entry)
    }
    entries[directory] = list
  }

  mutating func remove(_ tag: EXIFTag) {
    entries[tag.directory]?.removeAll { $0.tag == tag.number }
  }

  mutating func removeAll(where isUnwanted: (Directory, Entry) -> Bool) {
    for directory in Directory.allCases {
      entries[directory]?.removeAll { isUnwanted(directory, $0) }
    }
  }
}

extension EXIF.Entry {
  /// The text, without the NUL and the spaces at its end; nil if there is none, or one with too
  /// many combining marks.
  var text: String? {
    guard [.ascii, .utf8, .undefined, .byte].contains(type) else { return nil }
    let bytes = bytes.prefix { $0 != 0 }
    // Exif 2 prescribes ASCII. Invalid UTF-8 is read as Latin-1, in which every byte is a
    // character.
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    if text.hasTooManyMarks { return nil }
    let end = text.lastIndex { !$0.isWhitespace }
    return end.map { String(text[...$0]) }
  }
}

extension EXIF {
  /// The text of a tag; nil if the tag has no text.
  func text(_ tag: EXIFTag) -> String? { self[tag].flatMap(\.text) }

  /// The width and the height of the stored picture in pixels, as the camera states them; nil if it
  /// does not.
  public var pixels: (width: Int, height: Int)? {
    guard let width = integer(.pixelWidth), let height = integer(.pixelHeight), width > 0,
      height > 0
    else { return nil }
    return (width, height)
  }

  /// The exposure bias that the photographer set, in stops; nil if the tag is missing or invalid.
  public var exposureBias: Double? { fractions(.exposureBias).first ?? nil }

  /// The pixels in an inch or in a centimetre on paper; nil if the tags are missing or invalid, or
  /// state no unit.
  ///
  /// - Source: CIPA DC-008-2023 (Exif 3.0), 4.6.5 (XResolution, YResolution, ResolutionUnit).
  public var density: (horizontal: Double, vertical: Double, isPerCentimetre: Bool)? {
    guard let horizontal = fractions(.xResolution).first ?? nil,
      let vertical = fractions(.yResolution).first ?? nil, horizontal > 0, vertical > 0
    else { return nil }
    let unit = integer(.resolutionUnit)
    return unit == 1 ? nil : (horizontal, vertical, unit == 3)
  }

  /// The first integer of a tag; nil if the tag has none.
  func integer(_ tag: EXIFTag) -> Int? {
    guard let entry = self[tag] else { return nil }
    switch entry.type {
    case .byte, .undefined, .short, .long, .long8:
      return entry.bytes.number(at: 0, entry.type.size, order)
    default: return nil
    }
  }

  /// The fractions of a tag; a fraction is nil if its denominator is 0.
  func fractions(_ tag: EXIFTag) -> [Double?] {
    guard let entry = self[tag] else { return [] }
    return stride(from: 0, to: entry.bytes.count - 7, by: 8).map { offset in
      guard let numerator = entry.bytes.number(at: offset, 4, order),
        let denominator = entry.bytes.number(at: offset + 4, 4, order), denominator != 0
      else { return nil }
      switch entry.type {
      case .rational: return Double(numerator) / Double(denominator)
      case .signedRational:
        return Double(Int32(truncatingIfNeeded: numerator))
          / Double(Int32(truncatingIfNeeded: denominator))
      default: return nil
      }
    }
  }

  /// A date as `yyyy-MM-ddTHH:mm:ss`; nil if it is missing, unset (zeros or spaces) or impossible.
  func date(_ tag: EXIFTag) -> String? {
    text(tag).flatMap { CivilTime(beginning: $0, like: "0000:00:00 00:00:00") }?.description
  }

  mutating func set(_ tag: EXIFTag, text: String) {
    let bytes = Array(text.utf8.filter { $0 != 0 }) + [0]
    set(Entry(tag: tag.number, type: .ascii, bytes: bytes), in: tag.directory)
  }

  mutating func set(_ tag: EXIFTag, short: Int) {
    let bytes = order.bytes(short, 2)
    set(Entry(tag: tag.number, type: .short, bytes: bytes), in: tag.directory)
  }

  mutating func set(_ tag: EXIFTag, long: Int) {
    let bytes = order.bytes(long, 4)
    set(Entry(tag: tag.number, type: .long, bytes: bytes), in: tag.directory)
  }

  mutating func set(_ tag: EXIFTag, fractions: [(numerator: Int, denominator: Int)]) {
    let bytes = fractions.flatMap { order.bytes($0.numerator, 4) + order.bytes($0.denominator, 4) }
    set(Entry(tag: tag.number, type: .rational, bytes: bytes), in: tag.directory)
  }

  /// The same tags in another byte order; the bytes of opaque values are not swapped.
  func inOrder(_ wanted: ByteOrder) -> EXIF {
    if wanted == order { return self }
    var result = EXIF(order: wanted)
    result.makerNoteOffset = makerNoteOffset
    for (directory, list) in entries {
      result.entries[directory] = list.map { entry in
        let isText = entry.isUTF16(in: directory)
        let (start, unit) = isText ? (Entry.utf16.count, 2) : (0, entry.type.unit)
        if unit == 1 { return entry }
        let swapped = stride(from: start, to: entry.bytes.count - unit + 1, by: unit).flatMap {
          entry.bytes[$0..<($0 + unit)].reversed()
        }
        let bytes = entry.bytes[..<start] + swapped
        return Entry(
          tag: entry.tag, type: entry.type, bytes: Array(bytes + entry.bytes[bytes.count...]))
      }
    }
    return result
  }
}

extension EXIF {
  /// The maximum number of bytes of all values together; no camera writes so many.
  private static let mostBytes = 16 << 20

  /// Reads a block with its TIFF header at `start`; nil if there is no such header.
  init?(_ source: ByteSource, at start: Int = 0) {
    guard let file = TIFFFile(source, at: start) else { return nil }
    self.init(file)
  }

  /// Reads a file's first directory, or that of a page, and the directories to which it points.
  ///
  /// Values outside the file, and directories that were read already, are skipped.
  init(_ file: TIFFFile, page: Int? = nil) {
    self.init(order: file.order)
    hasThumbnail = file.next(after: file.firstDirectory) != 0
    var budget = Self.mostBytes
    var places: [Directory: Int] = [.primary: page ?? file.firstDirectory]
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
          field.count <= min(TIFFFile.longestValue, budget) / type.size,
          let bytes = file.value(field)
        else { continue }
        budget -= bytes.count
        let entry = Entry(tag: field.tag, type: type, bytes: bytes)
        set(entry, in: directory)
        if directory == .photo && field.tag == EXIFTag.makerNote.number {
          makerNoteOffset = file.offset(field) - file.start
        }
      }
    }
  }

  init?(_ bytes: [UInt8]) { self.init(.bytes(bytes)) }

  /// Adds the entries of a file's first directory to one of this block's directories, in which they
  /// belong.
  mutating func add(_ file: TIFFFile, to directory: Directory) {
    var budget = Self.mostBytes
    let pointers = Directory.allCases.compactMap(\.pointer)
    for field in file.fields(at: file.firstDirectory) where !pointers.contains(field.tag) {
      guard let type = field.type, field.count > 0,
        field.count <= min(TIFFFile.longestValue, budget) / type.size,
        let bytes = file.value(field)
      else { continue }
      budget -= bytes.count
      set(Entry(tag: field.tag, type: type, bytes: bytes), in: directory)
    }
  }

  /// Reads a block that may begin with the signature of a JPEG segment.
  init?(skippingSignature bytes: [UInt8]) {
    self.init(.bytes(bytes), at: bytes.starts(with: Self.signature) ? Self.signature.count : 0)
  }

  /// The bytes before a block in a JPEG segment.
  static let signature = Array("Exif\0\0".utf8)

  /// True for tags of the first directory that describe how pixels are stored or numbered, point to
  /// other pictures, or contain blocks other than EXIF.
  static func isStructure(_ tag: UInt16) -> Bool {
    switch tag {
    case 0x00FE...0x0107, 0x010A, 0x0111, 0x0115...0x0119, 0x011C, 0x0120...0x0125, 0x0129,
      0x012D, 0x013D...0x015B, 0x0200...0x0214, 0x02BC, 0x80E3...0x80E5, 0x83BB,
      0x8649, 0x8773, 0x935C, 0xC4A5:
      true
    // Levels, matrices and previews of raw files (DNG 1.7).
    case 0xC612...0xC7FF, 0xCD00...0xCDFF: tag != 0xC614
    default: false
    }
  }
}
