import FileStructure

/// The location of an item's bytes.
///
/// - Source: ISO/IEC 14496-12:2022, 8.11.3 (iloc).
struct HEIFLocation {
  struct Extent {
    var offset: Int
    var length: Int
  }

  let item: Int
  /// The base of the offsets.
  ///
  /// 0: the start of the file; 1: the content of the `idat` box; 2: another item.
  var method: Int
  var reference: Int
  var extents: [Extent]

  /// The locations in an `iloc` box; nil if it is damaged.
  static func all(_ content: [UInt8]) -> [HEIFLocation]? {
    var cursor = ByteCursor(content)
    guard let version = cursor.number(1), version <= 2, cursor.number(3) != nil,
      let sizes = cursor.number(2),
      let count = cursor.number(version == 2 ? 4 : 2)
    else { return nil }
    let (offsetWidth, lengthWidth) = (sizes >> 12, sizes >> 8 & 15)
    let (baseWidth, indexWidth) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    guard [offsetWidth, lengthWidth, baseWidth, indexWidth].allSatisfy({ [0, 4, 8].contains($0) })
    else { return nil }
    // Without this limit, a small file could state millions of extents that take no bytes.
    let mostExtents = indexWidth + offsetWidth + lengthWidth > 0 ? content.count : 1
    var locations: [HEIFLocation] = []
    for _ in 0..<count {
      guard let item = cursor.number(version == 2 ? 4 : 2),
        let method = version == 0 ? 0 : cursor.number(2),
        let reference = cursor.number(2), let base = cursor.number(baseWidth),
        let extentCount = cursor.number(2), extentCount <= mostExtents
      else { return nil }
      var extents: [Extent] = []
      for _ in 0..<extentCount {
        guard cursor.number(indexWidth) != nil, let offset = cursor.number(offsetWidth),
          let length = cursor.number(lengthWidth), offset <= .max - base
        else { return nil }
        extents.append(Extent(offset: base + offset, length: length))
      }
      locations.append(
        HEIFLocation(item: item, method: method & 15, reference: reference, extents: extents))
    }
    return locations
  }

  /// An `iloc` box of version 2 with these locations.
  static func box(_ locations: [HEIFLocation]) -> [UInt8] {
    let order = ByteOrder.big
    let isLong = locations.contains { $0.extents.contains { $0.offset > Int(UInt32.max) } }
    let width = isLong ? 8 : 4
    var content: [UInt8] = [2, 0, 0, 0, UInt8(width << 4 | width), 0]
    content += order.bytes(locations.count, 4)
    for location in locations {
      content += order.bytes(location.item, 4) + order.bytes(location.method, 2)
      content += order.bytes(location.reference, 2) + order.bytes(location.extents.count, 2)
      for extent in location.extents {
        content += order.bytes(extent.offset, width) + order.bytes(extent.length, width)
      }
    }
    return Box.bytes("iloc", content)
  }
}

/// An entry of the table of items: the item's number and type.
///
/// - Source: ISO/IEC 14496-12:2022, 8.11.6 (iinf).
struct HEIFItem {
  let item: Int
  let type: String
  /// The content type of an item of type `mime`; empty for others.
  let contentType: String
  /// The bytes of the item's whole `infe` box.
  let bytes: [UInt8]

  /// Reads an `infe` box; nil for versions without types.
  init?(_ box: Box, _ source: ByteSource) {
    guard box.length <= 1 << 16 else { return nil }
    bytes = source.bytes(at: box.offset, box.length)
    var cursor = ByteCursor(bytes, at: box.headLength)
    guard let version = cursor.number(1), version == 2 || version == 3, cursor.number(3) != nil,
      let item = cursor.number(version == 2 ? 2 : 4), cursor.number(2) != nil,
      let type = cursor.name(), cursor.text() != nil
    else { return nil }
    self.item = item
    self.type = type
    contentType = type == "mime" ? cursor.text() ?? "" : ""
  }

  var isEXIF: Bool { type == "Exif" }
  var isXMP: Bool { type == "mime" && contentType == "application/rdf+xml" }

  /// An `infe` box.
  ///
  /// Its version is 3 if the item's number needs four bytes, otherwise 2. Viewers do not show a
  /// hidden item.
  static func box(
    _ item: Int, _ type: String, contentType: String? = nil, isHidden: Bool = true
  ) -> [UInt8] {
    let isLong = item > 0xFFFF
    var content: [UInt8] = [isLong ? 3 : 2, 0, 0, isHidden ? 1 : 0]
    content += ByteOrder.big.bytes(item, isLong ? 4 : 2) + [0, 0] + Array(type.utf8) + [0]
    if let contentType { content += Array(contentType.utf8) + [0] }
    return Box.bytes("infe", content)
  }
}
