extension ItemFile {
  /// Writes the tables of items anew, appends the new items' bytes to the file, and fills those of
  /// the old ones with zeros.
  func splice(
    _ metadata: Metadata, _ warnings: inout [String]
  ) throws(MetadataError) -> Splice {
    guard let primary, locations.allSatisfy({ $0.method <= 1 }),
      locations.allSatisfy({ isInside($0) }),
      top.last.map({ !$0.isOpen }) == true, top.last?.end == source.count
    else { throw .malformed("its items cannot be moved") }
    var splice = Splice()
    let old = items.filter { $0.isEXIF || $0.isXMP }
    let gone = Set(old.map(\.item))
    guard !locations.contains(where: { gone.contains($0.item) && $0.method == 1 }) else {
      throw .malformed("its metadata stands among its tables")
    }
    erase(gone, &splice)
    var added: [(info: [UInt8], bytes: [UInt8])] = []
    let first = 1 + ([primary] + items.map(\.item) + locations.map(\.item)).reduce(0, max)
    if let exif = metadata.exif {
      let block = exif.block(limit: Self.limit, &warnings)
      added.append((ItemInfo.box(first, "Exif"), [0, 0, 0, 0] + block))
    }
    if let xmp = metadata.xmp {
      let info = ItemInfo.box(first + added.count, "mime", contentType: "application/rdf+xml")
      added.append((info, xmp.packet))
    }
    let infos = items.filter { !gone.contains($0.item) }.map(\.bytes) + added.map(\.info)
    var places = locations.filter { !gone.contains($0.item) }
    let references = try references(besides: gone, from: first..<(first + added.count), to: primary)
    for index in added.indices {
      places.append(
        ItemLocation(
          item: first + index, method: 0, reference: 0,
          extents: [.init(offset: 0, length: added[index].bytes.count)]))
    }
    // The tables' lengths do not depend on the offsets in them, unless these need eight bytes.
    guard source.count < Int(UInt32.max) - (64 << 20) else {
      throw .malformed("it is too long for its tables")
    }
    let growth = tables(infos, places, references).count + 8 - meta.length
    for index in places.indices where places[index].method == 0 {
      let isNew = places[index].item >= first
      if isNew { continue }
      for part in places[index].extents.indices
      where places[index].extents[part].offset >= meta.end {
        places[index].extents[part].offset += growth
      }
    }
    var position = source.count + growth + 8
    for index in places.indices where places[index].item >= first {
      places[index].extents[0].offset = position
      position += places[index].extents[0].length
    }
    let table = tables(infos, places, references)
    splice.add(
      at: meta.offset, removing: meta.length, inserting: Box.bytes("meta", table))
    if !added.isEmpty {
      splice.add(at: source.count, inserting: Box.bytes("mdat", added.flatMap(\.bytes)))
    }
    return splice
  }

  private func isInside(_ location: ItemLocation) -> Bool {
    location.extents.allSatisfy {
      $0.length > 0 && $0.length <= source.count && $0.offset <= source.count - $0.length
    }
  }

  /// Fills the bytes of items with zeros: they stand among those of others.
  private func erase(_ gone: Set<Int>, _ splice: inout Splice) {
    for location in locations where gone.contains(location.item) && location.method == 0 {
      for extent in location.extents
      where extent.offset >= meta.end && extent.offset <= source.count - extent.length {
        splice.patch(at: extent.offset, [UInt8](repeating: 0, count: extent.length))
      }
    }
  }

  /// The content of the new `meta` box: the old one with other tables.
  private func tables(
    _ infos: [[UInt8]], _ places: [ItemLocation], _ references: [UInt8]
  ) -> [UInt8] {
    var content = source.bytes(at: meta.content.lowerBound, 4)
    for box in boxes {
      switch box.name {
      case "iinf":
        let head: [UInt8] = [1, 0, 0, 0] + ByteOrder.big.bytes(infos.count, 4)
        content += Box.bytes("iinf", head + infos.joined())
      case "iloc": content += ItemLocation.box(places)
      case "iref", "idat": continue
      default: content += source.bytes(at: box.offset, box.length)
      }
    }
    if let data = boxes.first(where: { $0.name == "idat" }) {
      content += source.bytes(at: data.offset, data.length)
    }
    return content + references
  }

  /// The `iref` box without the references of items that are gone, and with those of new ones that
  /// describe the primary picture.
  ///
  /// - Source: ISO/IEC 14496-12:2022, 8.11.12.
  private func references(
    besides gone: Set<Int>, from new: Range<Int>, to primary: Int
  ) throws(MetadataError) -> [UInt8] {
    var entries: [UInt8] = []
    var isLong = new.upperBound > 0xFFFF || primary > 0xFFFF
    var kept: [(name: String, from: Int, to: [Int])] = []
    if let box = boxes.first(where: { $0.name == "iref" }), box.content.count >= 4 {
      let version = source.number(at: box.content.lowerBound, 1, .big) ?? 0
      if version > 0 { isLong = true }
      for entry in Box.all(in: source, (box.content.lowerBound + 4)..<box.end) {
        var cursor = ByteCursor(source.bytes(at: entry.content.lowerBound, entry.content.count))
        let width = version == 0 ? 2 : 4
        guard let from = cursor.number(width), let count = cursor.number(2) else {
          throw .malformed("its table of references is damaged")
        }
        var to: [Int] = []
        for _ in 0..<count {
          guard let item = cursor.number(width) else {
            throw .malformed("its table of references is damaged")
          }
          to.append(item)
        }
        if !gone.contains(from) { kept.append((entry.name, from, to)) }
      }
    }
    kept += new.map { ("cdsc", $0, [primary]) }
    if kept.isEmpty { return [] }
    let width = isLong ? 4 : 2
    for (name, from, to) in kept {
      let content =
        ByteOrder.big.bytes(from, width) + ByteOrder.big.bytes(to.count, 2)
        + to.flatMap { ByteOrder.big.bytes($0, width) }
      entries += Box.bytes(name, content)
    }
    return Box.bytes("iref", [isLong ? 1 : 0, 0, 0, 0] + entries)
  }
}

extension ItemFile {
  var strangeParts: [String] {
    top.map(\.name).filter { !["ftyp", "meta", "mdat", "free"].contains($0) }
      .map { "a '\($0)' box" }
  }
}
