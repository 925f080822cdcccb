/// The items of a HEIC or AVIF file.
///
/// - Source: ISO/IEC 14496-12:2022, 8.11; ISO/IEC 23008-12:2022, annex A.2 (Exif), A.3 (XMP).
struct ItemFile {
  static let limit = 16 << 20

  let source: ByteSource
  let top: [Box]
  let meta: Box
  /// The boxes in `meta`.
  let boxes: [Box]
  let items: [ItemInfo]
  let locations: [ItemLocation]
  let references: [Reference]
  let properties: ItemProperties

  /// Nil for a file without a readable `meta` box.
  init?(_ source: ByteSource) {
    self.source = source
    top = Box.all(in: source, 0..<source.count)
    guard top.first?.name == "ftyp", let meta = top.first(where: { $0.name == "meta" }),
      meta.content.count >= 4, meta.length <= Self.limit
    else { return nil }
    self.meta = meta
    // Four bytes of version and flags stand before its boxes.
    boxes = Box.all(in: source, (meta.content.lowerBound + 4)..<meta.end)
    guard let list = boxes.first(where: { $0.name == "iinf" }),
      let places = boxes.first(where: { $0.name == "iloc" }),
      let locations = ItemLocation.all(
        source.bytes(at: places.content.lowerBound, places.content.count))
    else { return nil }
    self.locations = locations
    items = Box.all(in: source, (list.content.lowerBound + Self.listHead(list, source))..<list.end)
      .compactMap { ItemInfo($0, source) }
    references = Self.references(boxes, source)
    // Only what may be shown is asked for its properties.
    properties = ItemProperties(boxes, source, items: Set(items.map(\.item)))
  }

  /// Bytes of version, flags and count before the entries of `iinf`.
  private static func listHead(_ list: Box, _ source: ByteSource) -> Int {
    let version = source.number(at: list.content.lowerBound, 1, .big) ?? 0
    return min(list.content.count, version == 0 ? 6 : 8)
  }

  var primary: Int? {
    guard let box = boxes.first(where: { $0.name == "pitm" }),
      let version = source.number(at: box.content.lowerBound, 1, .big)
    else { return nil }
    return source.number(at: box.content.lowerBound + 4, version == 0 ? 2 : 4, .big)
  }

  /// The bytes of an item; nil where a part lies outside of the file.
  private func bytes(of item: Int) -> [UInt8]? {
    guard let location = locations.first(where: { $0.item == item }) else { return nil }
    var start = 0
    switch location.method {
    case 0: break
    case 1:
      guard let data = boxes.first(where: { $0.name == "idat" }) else { return nil }
      start = data.content.lowerBound
    default: return nil
    }
    var bytes: [UInt8] = []
    for extent in location.extents {
      guard extent.offset < .max - start else { return nil }
      let room = Self.limit - bytes.count
      // A length of 0 goes on to the end of the file.
      let length = extent.length == 0 ? source.count - start - extent.offset : extent.length
      guard let part = source.whole(at: start + extent.offset, length, limit: room) else {
        return nil
      }
      bytes += part
    }
    return bytes
  }

  var blocks: Blocks {
    var blocks = Blocks()
    for item in items where item.isEXIF && blocks.exif == nil || item.isXMP && blocks.xmp.isEmpty {
      guard let bytes = bytes(of: item.item) else { continue }
      if item.isXMP { blocks.xmp.append(bytes) } else { blocks.exif = Self.exif(bytes) }
    }
    if items.contains(where: { $0.type == "tmap" }) { blocks.attachments.insert(.gainMap) }
    for type in auxiliaryTypes { blocks.attachments.insert(Self.attachment(type)) }
    return blocks
  }

  /// The block of an Exif item or box: four bytes say how many more stand before it.
  static func exif(_ bytes: [UInt8]) -> EXIF? {
    guard let skipped = bytes.number(at: 0, 4, .big), skipped <= bytes.count else { return nil }
    return EXIF(.bytes(bytes), at: 4 + skipped) ?? EXIF(.bytes(bytes), at: 4)
  }

  /// What the auxiliary pictures are, by their URNs.
  private var auxiliaryTypes: [String] {
    properties.all.filter { $0.name == "auxC" }.compactMap { box in
      var cursor = ByteCursor(
        source.bytes(at: box.content.lowerBound, min(256, box.content.count)), at: 4)
      return cursor.text()
    }.filter { !$0.hasSuffix(":alpha") && !$0.hasSuffix("auxid:1") }
  }

  /// - Source: FEATURES of Apple's HEIC files: URNs of libheif's and Apple's documentation.
  private static func attachment(_ type: String) -> Metadata.Attachment {
    switch type.lowercased() {
    case let type where type.contains("gainmap"): .gainMap
    case let type where type.contains("matte"): .matte
    case let type where type.hasSuffix("auxid:2") || type.contains("depth"): .depth
    default: .pictures
    }
  }
}
