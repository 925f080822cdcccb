import FileStructure

/// One picture of a HEIC or AVIF file as a separate file.
///
/// A decoder that does not know the kind of the picture, such as a depth map, can then read it like
/// a photo.
extension HEIFFile {
  /// The properties that affect the decoding of a picture; `true` marks the properties that a
  /// reader must support.
  private static let decoding = [
    "hvcC": true, "av1C": true, "irot": true, "imir": true, "clap": true, "ispe": false,
    "pixi": false,
  ]

  /// A file that contains only this picture; nil if parts of the picture are missing, or if it has
  /// more than `limit` bytes.
  func extracted(_ item: Int, limit: Int) -> [UInt8]? {
    guard let type = type(of: item) else { return nil }
    let tiles = type == "grid" ? references(from: item, "dimg") : []
    var parts = [item]
    for tile in tiles where !parts.contains(tile) { parts.append(tile) }
    let codings = parts.compactMap { self.type(of: $0) }
    guard codings.count == parts.count, !codings.dropFirst().contains("grid"),
      let coding = codings.last, coding == "hvc1" || coding == "av01"
    else { return nil }
    var contents: [[UInt8]] = []
    var room = limit
    for part in parts {
      guard let bytes = bytes(of: part, limit: room) else { return nil }
      room -= bytes.count
      contents.append(bytes)
    }
    var made = HEIFPictureFile(isAVIF: coding == "av01")
    for (part, kind) in zip(parts, codings) { made.add(kind, decodingProperties(of: part)) }
    made.tiles = tiles.compactMap { parts.firstIndex(of: $0).map { $0 + 1 } }
    return made.bytes(contents)
  }

  func type(of item: Int) -> String? { items.first { $0.item == item }?.type }

  /// The properties of an item that decoders need.
  ///
  /// `isEssential` is true if readers must support the property.
  func decodingProperties(of item: Int) -> [(box: [UInt8], isEssential: Bool)] {
    properties(of: item).compactMap { box in
      let bytes = source.bytes(at: box.offset, box.length)
      if box.name == "colr" {
        return bytes.name(at: box.headLength) == "nclx" ? (bytes, false) : nil
      }
      return Self.decoding[box.name].map { (bytes, $0) }
    }
  }
}

/// A HEIC or AVIF file with one picture, and its tiles if it is a grid.
private struct HEIFPictureFile {
  let isAVIF: Bool
  /// The items of the tiles in their order; empty if the picture is not a grid.
  var tiles: [Int] = []
  private var infos: [[UInt8]] = []
  private var properties: [[UInt8]] = []
  /// For each item, its properties' indices from 1, with the first bit set if readers must support
  /// it.
  private var associations: [[Int]] = []

  init(isAVIF: Bool) { self.isAVIF = isAVIF }

  /// Adds the next item, which is numbered from 1.
  mutating func add(_ type: String, _ own: [(box: [UInt8], isEssential: Bool)]) {
    infos.append(HEIFItem.box(infos.count + 1, type, isHidden: !infos.isEmpty))
    associations.append(
      own.map { property in
        if !properties.contains(property.box) { properties.append(property.box) }
        let index = 1 + (properties.firstIndex(of: property.box) ?? 0)
        return index | (property.isEssential ? 0x8000 : 0)
      })
  }

  func bytes(_ contents: [[UInt8]]) -> [UInt8] {
    let brands = isAVIF ? "avif\0\0\0\0avifmif1miaf" : "heic\0\0\0\0heicmif1"
    let head = Box.bytes("ftyp", Array(brands.utf8))
    let start = head.count + meta(contents, from: 0).count + 8
    return head + meta(contents, from: start) + Box.bytes("mdat", contents.flatMap { $0 })
  }

  /// The `meta` box of items whose contents follow one another from an offset on.
  private func meta(_ contents: [[UInt8]], from start: Int) -> [UInt8] {
    var places: [HEIFLocation] = []
    var offset = start
    for (index, content) in contents.enumerated() {
      places.append(
        HEIFLocation(
          item: index + 1, method: 0, reference: 0,
          extents: [.init(offset: offset, length: content.count)]))
      offset += content.count
    }
    func number(_ value: Int, _ width: Int) -> [UInt8] { ByteOrder.big.bytes(value, width) }
    let nothing = [UInt8](repeating: 0, count: 13)
    let handler = nothing[..<8] + Array("pict".utf8) + nothing
    var table: [UInt8] = [0, 0, 0, 1] + number(associations.count, 4)
    for (index, list) in associations.enumerated() {
      table += number(index + 1, 2) + number(list.count, 1)
      for association in list { table += number(association, 2) }
    }
    var content: [UInt8] = [0, 0, 0, 0] + Box.bytes("hdlr", Array(handler))
    content += Box.bytes("pitm", [0, 0, 0, 0, 0, 1])
    content += Box.bytes("iinf", [0, 0, 0, 0] + number(infos.count, 2) + infos.joined())
    if !tiles.isEmpty {
      let grid = number(1, 2) + number(tiles.count, 2) + tiles.flatMap { number($0, 2) }
      content += Box.bytes("iref", [0, 0, 0, 0] + Box.bytes("dimg", grid))
    }
    let list = Box.bytes("ipco", Array(properties.joined()))
    content += Box.bytes("iprp", list + Box.bytes("ipma", table))
    return Box.bytes("meta", content + HEIFLocation.box(places))
  }
}
