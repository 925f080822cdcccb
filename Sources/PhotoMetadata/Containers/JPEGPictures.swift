import FileStructure

/// The further pictures of a JPEG file, which follow the first.
///
/// - Source: CIPA DC-007-2009 (Multi-Picture Format), 5.2.
extension JPEGFile {
  struct Picture: Sendable {
    let offset: Int
    let length: Int
    let kind: Metadata.Attachment
  }

  private enum Tag {
    static let entries: UInt16 = 0xB002
  }

  private static let entryLength = 16
  private static let mostPictures = 100
  /// The number of bytes at the start of a picture that are searched for its kind.
  private static let headLength = 1 << 16

  /// The pictures in the file's Multi-Picture Format index, except the first picture.
  var otherPictures: [Picture] {
    for segment in segments where segment.marker == Marker.app2 {
      guard let index = content(segment, after: Signature.pictures) else { continue }
      let start = segment.payload + Signature.pictures.count
      return Self.entries(index).dropFirst().map { entry in
        let offset = start + entry.offset
        return Picture(offset: offset, length: entry.length, kind: kind(at: offset, entry.length))
      }
    }
    return []
  }

  /// The length and offset of each picture in a list; offsets count from the start of the list.
  private static func entries(_ index: [UInt8]) -> [(length: Int, offset: Int)] {
    guard let file = TIFFFile(.bytes(index)), let field = file.field(Tag.entries) else { return [] }
    let place = file.offset(field)
    return (0..<min(field.count / entryLength, mostPictures)).compactMap {
      let start = place + entryLength * $0
      guard let length = index.number(at: start + 4, 4, file.order),
        let offset = index.number(at: start + 8, 4, file.order)
      else { return nil }
      return (length, offset)
    }
  }

  /// The kind of a picture, determined by names in the XMP of Apple and Google.
  private func kind(at offset: Int, _ length: Int) -> Metadata.Attachment {
    let head = source.bytes(at: offset, min(length, Self.headLength))
    func names(_ words: String...) -> Bool { words.contains { head.contains(Array($0.utf8)) } }
    if names("hdrgainmap", "hdr-gain-map", "iso:ts:21496") { return .gainMap }
    if names("matte") { return .matte }
    let types = ["Type>disparity", "Type>depth", "Type=\"disparity", "Type=\"depth", "GDepth"]
    return types.contains { names($0) } ? .depth : .pictures
  }
}

extension JPEGFile {
  /// The index of a base picture and of the pictures that follow it, as a segment that begins at
  /// `offset` of the base picture.
  ///
  /// `length` is the length of the base picture without the segment, `lengths` are those of the
  /// other pictures.
  static func index(at offset: Int, before length: Int, of lengths: [Int]) -> [UInt8] {
    func number(_ value: Int, _ size: Int = 4) -> [UInt8] { ByteOrder.big.bytes(value, size) }
    func field(_ tag: UInt16, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(Int(tag), 2) + number(type, 2) + number(count) + value
    }
    let (undefined, long, list) = (7, 4, 50)
    // Offsets count from the start of the list, which follows the marker, the length and the name.
    let place = offset + 4 + Signature.pictures.count
    let count = lengths.count + 1
    let baseLength =
      length + 4 + Signature.pictures.count + list + entryLength * count
    let isBase = 0x030000
    var entries = number(isBase) + number(baseLength) + number(0) + number(0)
    var start = baseLength - place
    for length in lengths {
      entries += number(0) + number(length) + number(start) + number(0)
      start += length
    }
    let tiff =
      Array("MM".utf8) + number(42, 2) + number(8) + number(3, 2)
      + field(0xB000, undefined, 4, Array("0100".utf8)) + field(0xB001, long, 1, number(count))
      + field(Tag.entries, undefined, entryLength * count, number(list)) + number(0) + entries
    return segment(Marker.app2, Signature.pictures + tiff)
  }
}
