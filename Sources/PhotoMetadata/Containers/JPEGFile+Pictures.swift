/// The pictures behind the first one of a JPEG file.
///
/// - Source: CIPA DC-007-2009 (Multi-Picture Format), 5.2.
extension JPEGFile {
  struct Picture: Sendable {
    let offset: Int
    let length: Int
    let kind: Metadata.Attachment
  }

  private enum Tag {
    static let entries = 0xB002
  }

  private static let entryLength = 16
  private static let mostPictures = 100
  /// What of a picture is looked at to see what it is.
  private static let headLength = 1 << 16

  /// The pictures that the file lists, without the first one.
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

  private static func entries(_ index: [UInt8]) -> [(length: Int, offset: Int)] {
    let order: ByteOrder = index.starts(with: "II".utf8) ? .little : .big
    guard let directory = index.number(at: 4, 4, order),
      let count = index.number(at: directory, 2, order)
    else { return [] }
    for number in 0..<min(count, 20) {
      let entry = directory + 2 + 12 * number
      guard index.number(at: entry, 2, order) == Tag.entries,
        let length = index.number(at: entry + 4, 4, order),
        let place = index.number(at: entry + 8, 4, order)
      else { continue }
      return (0..<min(length / entryLength, mostPictures)).compactMap {
        let start = place + entryLength * $0
        guard let length = index.number(at: start + 4, 4, order),
          let offset = index.number(at: start + 8, 4, order)
        else { return nil }
        return (length, offset)
      }
    }
    return []
  }

  /// What a picture is, by the names that Apple's and Google's XMP have for it.
  private func kind(at offset: Int, _ length: Int) -> Metadata.Attachment {
    let head = source.bytes(at: offset, min(length, Self.headLength))
    func names(_ words: String...) -> Bool { words.contains { head.holds(Array($0.utf8)) } }
    if names("hdrgainmap", "hdr-gain-map", "iso:ts:21496") { return .gainMap }
    if names("matte") { return .matte }
    return names("Type>disparity", "Type>depth", "GDepth") ? .depth : .pictures
  }
}
