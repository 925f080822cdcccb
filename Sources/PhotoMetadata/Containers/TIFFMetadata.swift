import FileStructure

/// The metadata of a TIFF file: the directory of each page contains the EXIF tags, and XMP, IPTC and
/// Photoshop blocks as values of other tags.
///
/// - Source: XMP Specification part 3, 1.1.4; Adobe TIFF Technical Notes for tags 33723 and 34377.
extension TIFFFile {
  private enum Tag {
    static let xmp: UInt16 = 0x02BC
    static let iptc: UInt16 = 0x83BB
    static let photoshop: UInt16 = 0x8649
    static let credentials: UInt16 = 0xCD41
  }

  var blocks: Blocks { blocks(ofPage: 1) }

  /// The metadata of a page, counted from 1; those of the last page if there are fewer.
  func blocks(ofPage number: Int) -> Blocks {
    var page = firstDirectory
    for _ in 1..<max(number, 1) {
      let next = next(after: page)
      if next == 0 { break }
      page = next
    }
    var blocks = Blocks()
    blocks.exif = EXIF(self, page: page)
    // Further directories are pages, not thumbnails.
    blocks.exif?.hasThumbnail = false
    for field in fields(at: page) {
      switch field.tag {
      case Tag.xmp: if let xmp = value(field, limit: Blocks.limit) { blocks.xmp.append(xmp) }
      case Tag.iptc: blocks.iptc = value(field)
      case Tag.photoshop:
        guard blocks.iptc == nil, let bytes = value(field) else { continue }
        blocks.iptc = PhotoshopResources.content(of: PhotoshopResources.iptc, in: bytes)
      case Tag.credentials:
        guard field.type?.size == 1 else { continue }
        if ContentCredentials.begin(source.bytes(at: offset(field), min(field.count, 64))) {
          blocks.attachments.insert(.credentials)
        }
      default: continue
      }
    }
    if next(after: firstDirectory) != 0 { blocks.attachments.insert(.pictures) }
    return blocks
  }

  /// Appends a new first directory with old and new entries, and sets the offset in the header to
  /// it.
  ///
  /// The file's other bytes do not move, so the time does not depend on the size of the file. The
  /// old directory stays in the file, but nothing refers to it.
  func edits(
    embedding metadata: Metadata, _ warnings: inout [String]
  ) throws(MetadataError) -> FileEdits {
    let found = blocks
    if metadata.exif == nil && metadata.xmp == nil && metadata.iptc == nil
      && found.exif?.isOfUprightPicture != false && found.xmp.isEmpty && found.iptc == nil
    {
      return FileEdits()
    }
    let exif = prepared(metadata.exif ?? EXIF(order: order), &warnings)
    let end = source.count + source.count % 2
    var others = try keptEntries(besides: exif)
    if let xmp = metadata.xmp { others.append(Self.slot(Tag.xmp, .byte, xmp.packet)) }
    if let iptc = metadata.iptc { others.append(Self.slot(Tag.iptc, .undefined, iptc.bytes)) }
    var writer = DirectoryWriter(order: order, isBig: isBig, start: end)
    let next = next(after: firstDirectory)
    writer.write(exif.slots(besides: others), next: next == 0 ? 0 : next - start)
    guard isBig || end + writer.bytes.count <= Int(UInt32.max), let place = writer.places[.primary]
    else { throw .malformed("the content is too long for a TIFF file of 4 GB") }
    var edits = FileEdits()
    edits.patch(at: isBig ? 8 : 4, order.bytes(place, offsetWidth))
    edits.add(
      at: source.count,
      inserting: [UInt8](repeating: 0, count: end - source.count) + writer.bytes)
    return edits
  }

  /// The tags in this file's byte order, without a MakerNote that cannot be moved.
  private func prepared(_ exif: EXIF, _ warnings: inout [String]) -> EXIF {
    var exif = exif
    if let note = exif[.makerNote], !MakerNote.isMovable(note.bytes) {
      exif.remove(.makerNote)
      warnings.append(
        "the maker note was left out: this maker's format cannot be moved into a TIFF file")
    }
    return exif.inOrder(order)
  }

  /// The entries of the first directory that describe how the picture is stored.
  private func keptEntries(besides exif: EXIF) throws(MetadataError) -> [DirectoryWriter.Slot] {
    guard let count = entryCount(at: firstDirectory),
      count <= TIFFFile.mostEntries
    else { throw .malformed("the first directory is too long") }
    let resolution: [EXIFTag] = [.xResolution, .yResolution, .resolutionUnit]
    return fields(at: firstDirectory).compactMap { field in
      let isKept =
        EXIF.isStructure(field.tag) && field.tag != Tag.xmp && field.tag != Tag.iptc
        && field.tag != Tag.photoshop
      // The file's own resolution is kept unless the new metadata sets one.
      let isResolution =
        resolution.contains { $0.number == field.tag }
        && !exif[.primary].contains { $0.tag == field.tag }
      guard isKept || isResolution, let type = field.type,
        let bytes = source.whole(at: field.place, offsetWidth)
      else { return nil }
      return .init(tag: field.tag, type: type.rawValue, count: field.count, value: .field(bytes))
    }
  }

  private static func slot(
    _ tag: UInt16, _ type: TIFFType, _ bytes: [UInt8]
  ) -> DirectoryWriter.Slot {
    .init(tag: tag, type: type.rawValue, count: bytes.count, value: .bytes(bytes))
  }
}

extension EXIF {
  /// True if the tags describe only how an upright picture is stored, such as its resolution.
  fileprivate var isOfUprightPicture: Bool {
    let isUpright = integer(.orientation) ?? 1 == 1
    return isUpright && holdsOnlyStructure
      && Directory.allCases.allSatisfy { $0 == .primary || self[$0].isEmpty }
  }
}
