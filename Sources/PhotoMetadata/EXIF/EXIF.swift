/// The tags of a photo, as EXIF and TIFF directories hold them; the thumbnail's are left out.
///
/// libexif is not used: it knows no TIFF files and no BigTIFF, writes MakerNotes anew, and is C that
/// would read hostile bytes.
/// - Source: CIPA DC-008-2023 (Exif 3.0), 4.6; TIFF Revision 6.0, Adobe, 1992, section 2.
public struct EXIF: Sendable, Hashable {
  public enum Directory: Int, Sendable, Hashable, CaseIterable {
    /// IFD0: the picture.
    case primary
    /// The Exif IFD: how it was taken.
    case photo
    case gps
    case interoperability

    /// The tag of the directory before it that says where this one stands.
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
    /// The values in the block's byte order.
    let bytes: [UInt8]

    var count: Int { bytes.count / type.size }
  }

  var order: ByteOrder
  /// Sorted by tag, each tag once.
  private(set) var entries: [Directory: [Entry]] = [:]
  /// Where the MakerNote stood, from the start of the block: some count from there.
  var makerNoteOffset: Int?
  /// Whether a directory of a thumbnail follows the first.
  var hasThumbnail = false

  init(order: ByteOrder = .little) { self.order = order }

  /// Whether there is no tag.
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

extension EXIF {
  /// The text of a tag without the NUL and the spaces at its end; nil for none.
  func text(_ tag: EXIFTag) -> String? {
    guard let entry = self[tag], [.ascii, .utf8, .undefined, .byte].contains(entry.type) else {
      return nil
    }
    let bytes = entry.bytes.prefix { $0 != 0 }
    // Exif 2 says ASCII; what is not UTF-8 is taken for Latin-1, in which every byte is a character.
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    let end = text.lastIndex { !$0.isWhitespace }
    return end.map { String(text[...$0]) }
  }

  /// The first whole number of a tag.
  func integer(_ tag: EXIFTag) -> Int? {
    guard let entry = self[tag] else { return nil }
    switch entry.type {
    case .byte, .undefined, .short, .long, .long8:
      return entry.bytes.number(at: 0, entry.type.size, order)
    default: return nil
    }
  }

  /// The fractions of a tag; those with nothing below the line are nil.
  func fractions(_ tag: EXIFTag) -> [Double?] {
    guard let entry = self[tag] else { return [] }
    return stride(from: 0, to: entry.bytes.count - 7, by: 8).map { offset in
      guard let above = entry.bytes.number(at: offset, 4, order),
        let below = entry.bytes.number(at: offset + 4, 4, order), below != 0
      else { return nil }
      if entry.type == .signedRational {
        return Double(Int32(truncatingIfNeeded: above)) / Double(Int32(truncatingIfNeeded: below))
      }
      return entry.type == .rational ? Double(above) / Double(below) : nil
    }
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

  mutating func set(_ tag: EXIFTag, fractions: [(above: Int, below: Int)]) {
    let bytes = fractions.flatMap { order.bytes($0.above, 4) + order.bytes($0.below, 4) }
    set(Entry(tag: tag.number, type: .rational, bytes: bytes), in: tag.directory)
  }

  /// The same tags in another byte order; opaque values stay as they are.
  func inOrder(_ wanted: ByteOrder) -> EXIF {
    if wanted == order { return self }
    var result = EXIF(order: wanted)
    result.makerNoteOffset = makerNoteOffset
    for (directory, list) in entries {
      result.entries[directory] = list.map { entry in
        let unit = entry.type.unit
        if unit == 1 { return entry }
        let swapped = stride(from: 0, to: entry.bytes.count - unit + 1, by: unit).flatMap {
          entry.bytes[$0..<($0 + unit)].reversed()
        }
        return Entry(tag: entry.tag, type: entry.type, bytes: swapped)
      }
    }
    return result
  }
}
