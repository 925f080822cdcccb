public import FileStructure

/// The items of a HEIC or AVIF file.
///
/// - Source: ISO/IEC 14496-12:2022, 8.11; ISO/IEC 23008-12:2022, annex A.2 (Exif), A.3 (XMP).
struct HEIFFile {
  static let limit = 16 << 20

  let source: ByteSource
  let top: [Box]
  let meta: Box
  /// The boxes in `meta`.
  let boxes: [Box]
  let items: [HEIFItem]
  let locations: [HEIFLocation]
  let references: [Reference]
  let properties: HEIFProperties

  /// Reads the items; nil if the file has no readable `meta` box.
  init?(_ source: ByteSource) {
    self.source = source
    top = Box.all(in: source, 0..<source.count)
    guard top.first?.name == "ftyp", let meta = top.first(where: { $0.name == "meta" }),
      meta.content.count >= 4, meta.length <= Self.limit
    else { return nil }
    self.meta = meta
    // Four bytes of version and flags precede the boxes in `meta`.
    boxes = Box.all(in: source, (meta.content.lowerBound + 4)..<meta.end)
    guard let list = boxes.first(where: { $0.name == "iinf" }),
      let places = boxes.first(where: { $0.name == "iloc" }),
      let locations = HEIFLocation.all(
        source.bytes(at: places.content.lowerBound, places.content.count))
    else { return nil }
    self.locations = locations
    items = Box.all(in: source, (list.content.lowerBound + Self.listHead(list, source))..<list.end)
      .compactMap { HEIFItem($0, source) }
    references = Self.references(boxes, source)
    properties = HEIFProperties(boxes, source, items: Set(items.map(\.item)))
  }

  /// The number of bytes before the entries of `iinf`: version, flags and count.
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

  /// The bytes of an item; nil if a part is outside the file, or if it has more than `limit` bytes.
  func bytes(of item: Int, limit: Int = limit) -> [UInt8]? {
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
      let room = limit - bytes.count
      // An extent of length 0 reaches to the end of the file.
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
      guard describesPhoto(item), let bytes = bytes(of: item.item) else { continue }
      if item.isXMP { blocks.xmp.append(bytes) } else { blocks.exif = Self.exif(bytes) }
    }
    if items.contains(where: { $0.type == "tmap" }) { blocks.attachments.insert(.gainMap) }
    for type in auxiliaryTypes { blocks.attachments.insert(Self.attachment(type)) }
    if top.contains(where: holdsCredentials) { blocks.attachments.insert(.credentials) }
    return blocks
  }

  /// False for metadata of another picture, such as a gain map.
  private func describesPhoto(_ item: HEIFItem) -> Bool {
    let described = references(from: item.item, "cdsc")
    return described.isEmpty || primary.map { described.contains($0) } ?? true
  }

  /// True for a top-level box with content credentials.
  private func holdsCredentials(_ box: Box) -> Bool {
    let content = source.bytes(at: box.content.lowerBound, min(box.content.count, 128))
    switch box.name {
    case "jumb": return ContentCredentials.areDescribed(by: content)
    case "uuid": return ContentCredentials.begin(uuid: content)
    default: return false
    }
  }

  /// The EXIF block of an item or a box.
  ///
  /// The block is preceded by four bytes that state how many bytes to skip.
  static func exif(_ bytes: [UInt8]) -> EXIF? {
    guard let skipped = bytes.number(at: 0, 4, .big), skipped <= bytes.count else { return nil }
    return EXIF(.bytes(bytes), at: 4 + skipped) ?? EXIF(.bytes(bytes), at: 4)
  }

  /// The URNs of auxiliary pictures that are not alpha.
  private var auxiliaryTypes: [String] {
    properties.all.filter { $0.name == "auxC" }.compactMap { auxiliaryType($0) }
      .filter { !$0.hasSuffix(":alpha") && !$0.hasSuffix("auxid:1") }
  }

  /// The URN in an `auxC` box; nil if the box has none.
  func auxiliaryType(_ box: Box) -> String? {
    var cursor = ByteCursor(
      source.bytes(at: box.content.lowerBound, min(256, box.content.count)), at: 4)
    return cursor.text()
  }

  /// The kind of an auxiliary picture, by its URN.
  ///
  /// - Source: the URNs of Apple's HEIC files and of libheif's documentation.
  private static func attachment(_ type: String) -> Metadata.Attachment {
    switch type.lowercased() {
    case let type where type.contains("gainmap"): .gainMap
    case let type where type.contains("matte"): .matte
    case let type where type.hasSuffix("auxid:2") || type.contains("depth"): .depth
    default: .pictures
    }
  }
}

extension HEIFFile {
  /// The references of one kind from one item to other items.
  struct Reference {
    let box: Box
    let item: Int
    let targets: [Int]
    /// True if the box contains all of its targets; false if the box ends before the last target.
    let isWhole: Bool

    /// The kind of the reference.
    ///
    /// `cdsc`: the item describes the target; `dimg`: it is derived from the target; `thmb`: it is
    /// the target's thumbnail; `auxl`: it is the target's auxiliary picture.
    var kind: String { box.name }
  }

  /// The references in the boxes of `meta`, except unreadable ones.
  ///
  /// - Source: ISO/IEC 14496-12:2022, 8.11.12 (iref).
  static func references(_ boxes: [Box], _ source: ByteSource) -> [Reference] {
    guard let list = boxes.first(where: { $0.name == "iref" }), list.content.count >= 4,
      let version = source.number(at: list.content.lowerBound, 1, .big)
    else { return [] }
    let width = version == 0 ? 2 : 4
    return Box.all(in: source, (list.content.lowerBound + 4)..<list.end).compactMap { box in
      var cursor = ByteCursor(source.bytes(at: box.content.lowerBound, box.content.count))
      guard let item = cursor.number(width), let count = cursor.number(2),
        count * width <= box.content.count
      else { return nil }
      let targets = (0..<count).compactMap { _ in cursor.number(width) }
      return Reference(
        box: box, item: item, targets: targets, isWhole: targets.count == count)
    }
  }

  /// The items to which an item has references of one kind.
  func references(from item: Int, _ kind: String) -> [Int] {
    references.filter { $0.item == item && $0.kind == kind }.flatMap(\.targets)
  }

  /// The properties of an item, in the order in which the file associates them with the item.
  func properties(of item: Int) -> [Box] { properties[item] }

  /// The width and height of an item before rotation; nil if unknown.
  func size(of item: Int) -> (width: Int, height: Int)? {
    guard let box = properties(of: item).first(where: { $0.name == "ispe" }) else { return nil }
    var cursor = ByteCursor(
      source.bytes(at: box.content.lowerBound, min(12, box.content.count)), at: 4)
    guard let width = cursor.number(4), let height = cursor.number(4) else { return nil }
    return (width, height)
  }
}

/// The auxiliary pictures of a HEIC or AVIF file: mattes, depth maps, gain maps.
public enum AuxiliaryTypes {
  /// The URNs of the auxiliary pictures in the order of the references; empty for other files.
  public static func all(in source: ByteSource) -> [String] {
    guard case .heif = ContainerFormat(of: source), let file = HEIFFile(source) else { return [] }
    return file.references.filter { $0.kind == "auxl" }.compactMap { reference in
      file.properties(of: reference.item).first { $0.name == "auxC" }
        .flatMap { file.auxiliaryType($0) }
    }
  }
}
