import FileStructure

/// The gain map of a HEIC or AVIF file.
///
/// An item `tmap` is made of the base picture and the map, and contains the map's description.
/// Apple's older files have the map as an auxiliary picture only.
/// - Source: ISO/IEC 23008-12:2025, 6.6.2.4.2 (tmap); ISO 21496-1:2025, annex C.
extension HEIFFile {
  /// The items that contain the gain map.
  private struct GainMapItems {
    let picture: Int
    /// The description's bytes; nil if there is none.
    let description: [UInt8]?
    /// True if the picture also is an auxiliary picture in Apple's coding.
    let isApple: Bool
  }

  private static let longestDescription = 1 << 16

  private var gainMapItems: GainMapItems? {
    guard let primary else { return nil }
    let auxiliary = references.first { reference in
      reference.kind == "auxl" && reference.targets.contains(primary)
        && properties(of: reference.item).contains {
          $0.name == "auxC" && auxiliaryType($0)?.hasSuffix(":hdrgainmap") == true
        }
    }?.item
    for item in items where item.type == "tmap" {
      let sources = references(from: item.item, "dimg")
      guard sources.count == 2, sources[0] == primary,
        let bytes = bytes(of: item.item, limit: Self.longestDescription), bytes.first == 0
      else { continue }
      return GainMapItems(
        picture: sources[1], description: Array(bytes.dropFirst()),
        isApple: sources[1] == auxiliary)
    }
    return auxiliary.map { GainMapItems(picture: $0, description: nil, isApple: true) }
  }

  var gainMap: GainMap? {
    guard let found = gainMapItems,
      let picture = extracted(found.picture, limit: GainMap.mostBytes)
    else { return nil }
    let headroom = found.isApple ? appleHeadroom(of: found.picture) : nil
    guard let description = found.description else {
      return headroom.flatMap { GainMap(picture: picture, appleHeadroom: $0) }
    }
    guard let description = GainMapDescription(description) else { return nil }
    var map = GainMap(picture: picture, description: description)
    map.appleHeadroom = headroom
    return map
  }

  /// The headroom of a map in Apple's coding, from the map's own XMP or from the camera's
  /// MakerNote.
  private func appleHeadroom(of picture: Int) -> Double? {
    for item in items where item.isXMP && references(from: item.item, "cdsc").contains(picture) {
      if let xmp = bytes(of: item.item, limit: Blocks.limit).flatMap({ try? XMP($0) }),
        let headroom = GainMap.appleHeadroom(in: xmp)
      {
        return headroom
      }
    }
    return blocks.exif?.appleHeadroom
  }

  var gainMapOutline: PictureOutline? { gainMapItems.map { outline(of: $0.picture) } }
}

extension HEIFNewItems {
  /// The brand of files with an item `tmap`.
  static let gainMapBrand = "tmap"
  private static let gainMapType = "urn:com:apple:photo:2020:aux:hdrgainmap"

  /// Adds a gain map for the primary picture of `file`; false if the map's picture is not a plain
  /// HEIC or AVIF picture.
  mutating func add(_ map: GainMap, to primary: Int, of file: HEIFFile) -> Bool {
    guard let own = HEIFFile(.bytes(map.picture)), let picture = own.primary,
      let type = own.type(of: picture), type == "hvc1" || type == "av01",
      let content = own.bytes(of: picture, limit: GainMap.mostBytes),
      let size = file.size(of: primary)
    else { return false }
    func number(_ value: Int) -> [UInt8] { ByteOrder.big.bytes(value, 4) }
    let tone = add("tmap", [0] + map.description.bytes, isHidden: false)
    let item = add(type, content)
    refer("dimg", from: tone, to: [primary, item])
    let extent = Box.bytes("ispe", [0, 0, 0, 0] + number(size.width) + number(size.height))
    let colour = Self.hdrColour(of: file, primary)
    let depth = Box.bytes("pixi", [0, 0, 0, 0, 3, 10, 10, 10])
    set([(extent, false), (depth, false), (colour, false)], of: tone)
    var decoding = own.decodingProperties(of: picture)
    if let xmp = map.appleXMP {
      decoding.append((Box.bytes("auxC", [0, 0, 0, 0] + Array(Self.gainMapType.utf8) + [0]), true))
      refer("auxl", from: item, to: [primary])
      describe(item, by: xmp)
    }
    set(decoding, of: item)
    alternatives = [tone, primary]
    return true
  }

  /// The colour space of the HDR picture: the primaries of the base picture, with PQ.
  private static func hdrColour(of file: HEIFFile, _ primary: Int) -> [UInt8] {
    let own = file.decodingProperties(of: primary).first { $0.box.name(at: 4) == "colr" }?.box
    let primaries = own?.number(at: 12, 2, .big) ?? 2
    let (pq, matrix) = (16, 6)
    let codes = [primaries, pq, matrix].flatMap { ByteOrder.big.bytes($0, 2) }
    return Box.bytes("colr", Array("nclx".utf8) + codes + [0x80])
  }
}

extension HEIFFile {
  /// The `iprp` box with the properties of new items; nil if the table of associations has no room
  /// for them.
  func properties(adding new: [(item: Int, boxes: [(box: [UInt8], isEssential: Bool)])]) -> [UInt8]?
  {
    guard let box = boxes.first(where: { $0.name == "iprp" }) else { return nil }
    let parts = Box.all(in: source, box.content)
    guard let container = parts.first(where: { $0.name == "ipco" }),
      let table = parts.first(where: { $0.name == "ipma" })
    else { return nil }
    var list = source.bytes(at: container.content.lowerBound, container.content.count)
    let old = source.bytes(at: table.content.lowerBound, table.content.count)
    guard old.count >= 8, let count = old.number(at: 4, 4, .big) else { return nil }
    let (isLong, isWide) = (old[0] > 0, old[3] & 1 == 1)
    var entries = Array(old[8...])
    var next = properties.all.count
    for (item, boxes) in new {
      guard item <= 0xFFFF || isLong else { return nil }
      entries += ByteOrder.big.bytes(item, isLong ? 4 : 2) + [UInt8(boxes.count)]
      for (bytes, isEssential) in boxes {
        next += 1
        guard next < (isWide ? 0x8000 : 0x80) else { return nil }
        list += bytes
        let flag = isEssential ? (isWide ? 0x8000 : 0x80) : 0
        entries += ByteOrder.big.bytes(next | flag, isWide ? 2 : 1)
      }
    }
    let head = old[..<4] + ByteOrder.big.bytes(count + new.count, 4)
    let others = parts.filter { $0.name == "ipma" }.dropFirst()
    return Box.bytes(
      "iprp",
      Box.bytes("ipco", list) + Box.bytes("ipma", head + entries)
        + others.flatMap { source.bytes(at: $0.offset, $0.length) })
  }
}
