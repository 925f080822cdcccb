import FileStructure
import PhotoRecipes

extension HEIFFile {
  /// The edits that replace the tables of items, append the new items' bytes to the file, and
  /// overwrite the old items' bytes with zeros.
  func edits(
    embedding metadata: Metadata, _ warnings: inout [String]
  ) throws(MetadataError) -> FileEdits {
    guard let primary, locations.allSatisfy({ $0.method <= 1 }),
      locations.allSatisfy({ isInside($0) }),
      top.last.map({ !$0.isOpen }) == true, top.last?.end == source.count
    else { throw .malformed("the items cannot be moved") }
    var edits = FileEdits()
    let old = items.filter { $0.isEXIF || $0.isXMP }
    let gone = Set(old.map(\.item))
    guard !locations.contains(where: { gone.contains($0.item) && $0.method == 1 }) else {
      throw .malformed("the metadata is between the tables")
    }
    erase(gone, &edits)
    var added: [(info: [UInt8], bytes: [UInt8])] = []
    let first = 1 + ([primary] + items.map(\.item) + locations.map(\.item)).reduce(0, max)
    if let exif = metadata.exif {
      let block = exif.block(limit: Self.limit, &warnings)
      added.append((HEIFItem.box(first, "Exif"), [0, 0, 0, 0] + block))
    }
    var xmp = metadata.xmp
    for property in metadata.film?.boxProperties ?? [] { xmp = (xmp ?? XMP()).with(property) }
    if let xmp {
      let info = HEIFItem.box(first + added.count, "mime", contentType: "application/rdf+xml")
      added.append((info, xmp.packet))
    }
    var new = HEIFNewItems(first: first + added.count)
    if let map = metadata.gainMap, !new.add(map, to: primary, of: self) {
      throw .malformed("there is no space for a gain map")
    }
    for data in metadata.auxiliaries where !new.add(data, to: primary) {
      throw .malformed("there is no space for a \(data.kind.title)")
    }
    let described = first..<(first + added.count)
    added += new.items
    let infos = items.filter { !gone.contains($0.item) }.map(\.bytes) + added.map(\.info)
    var places = locations.filter { !gone.contains($0.item) }
    let references = try references(
      besides: gone, from: described, to: primary, adding: new.references)
    for index in added.indices {
      places.append(
        HEIFLocation(
          item: first + index, method: 0, reference: 0,
          extents: [.init(offset: 0, length: added[index].bytes.count)]))
    }
    // If all offsets fit into four bytes, the lengths of the tables do not depend on the offsets in
    // them. Thus the lengths can be computed before the offsets.
    guard source.count < Int(UInt32.max) - (64 << 20) else {
      throw .malformed("the file is too long for its tables")
    }
    let brand = metadata.gainMap.map { _ in newBrand(HEIFNewItems.gainMapBrand) } ?? []
    let growth = try tables(infos, places, references, new).count + 8 - meta.length + brand.count
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
    let table = try tables(infos, places, references, new)
    if !brand.isEmpty {
      edits.patch(at: top[0].offset, ByteOrder.big.bytes(top[0].length + brand.count, 4))
      edits.add(at: top[0].end, inserting: brand)
    }
    edits.add(
      at: meta.offset, removing: meta.length, inserting: Box.bytes("meta", table))
    if !added.isEmpty {
      edits.add(at: source.count, inserting: Box.bytes("mdat", added.flatMap(\.bytes)))
    }
    return edits
  }

  /// The bytes by which the list of compatible brands grows; empty if the brand is listed.
  private func newBrand(_ brand: String) -> [UInt8] {
    let list = source.bytes(at: top[0].content.lowerBound, top[0].content.count)
    let isListed = stride(from: 8, to: list.count, by: 4).contains { list.name(at: $0) == brand }
    return isListed ? [] : Array(brand.utf8)
  }

  private func isInside(_ location: HEIFLocation) -> Bool {
    location.extents.allSatisfy {
      $0.length > 0 && $0.length <= source.count && $0.offset <= source.count - $0.length
    }
  }

  /// Overwrites the bytes of items with zeros.
  ///
  /// The bytes cannot be removed, because other items follow them, whose offsets would change.
  private func erase(_ gone: Set<Int>, _ edits: inout FileEdits) {
    for location in locations where gone.contains(location.item) && location.method == 0 {
      for extent in location.extents
      where extent.offset >= meta.end && extent.offset <= source.count - extent.length {
        edits.patch(at: extent.offset, [UInt8](repeating: 0, count: extent.length))
      }
    }
  }

  /// The content of the new `meta` box: the old boxes with the new tables.
  private func tables(
    _ infos: [[UInt8]], _ places: [HEIFLocation], _ references: [UInt8],
    _ new: HEIFNewItems
  ) throws(MetadataError) -> [UInt8] {
    var content = source.bytes(at: meta.content.lowerBound, 4)
    for box in boxes {
      switch box.name {
      case "iinf":
        let head: [UInt8] = [1, 0, 0, 0] + ByteOrder.big.bytes(infos.count, 4)
        content += Box.bytes("iinf", head + infos.joined())
      case "iloc": content += HEIFLocation.box(places)
      case "iref", "idat": continue
      case "iprp" where !new.properties.isEmpty:
        guard let table = properties(adding: new.properties) else {
          throw .malformed("the properties cannot be extended")
        }
        content += table
      case "grpl" where !new.groups.isEmpty: throw .malformed("it contains groups of pictures")
      default: content += source.bytes(at: box.offset, box.length)
      }
    }
    if let data = boxes.first(where: { $0.name == "idat" }) {
      content += source.bytes(at: data.offset, data.length)
    }
    return content + references + new.groups
  }

  /// The `iref` box without the references of removed items, and with references from the new
  /// items, which describe the primary picture.
  ///
  /// - Source: ISO/IEC 14496-12:2022, 8.11.12.
  private func references(
    besides gone: Set<Int>, from new: Range<Int>, to primary: Int,
    adding more: [(name: String, from: Int, to: [Int])]
  ) throws(MetadataError) -> [UInt8] {
    var isLong =
      new.upperBound > 0xFFFF || primary > 0xFFFF || more.contains { $0.from > 0xFFFF }
    var kept: [(name: String, from: Int, to: [Int])] = []
    if let box = boxes.first(where: { $0.name == "iref" }), box.content.count >= 4 {
      if source.number(at: box.content.lowerBound, 1, .big) ?? 0 > 0 { isLong = true }
      let entries = Box.all(in: source, (box.content.lowerBound + 4)..<box.end)
      guard references.count == entries.count, references.allSatisfy(\.isWhole) else {
        throw .malformed("the table of references is damaged")
      }
      kept = references.filter { !gone.contains($0.item) }.map { ($0.kind, $0.item, $0.targets) }
    }
    kept += new.map { ("cdsc", $0, [primary]) } + more
    if kept.isEmpty { return [] }
    let width = isLong ? 4 : 2
    var entries: [UInt8] = []
    for (name, from, to) in kept {
      let content =
        ByteOrder.big.bytes(from, width) + ByteOrder.big.bytes(to.count, 2)
        + to.flatMap { ByteOrder.big.bytes($0, width) }
      entries += Box.bytes(name, content)
    }
    return Box.bytes("iref", [isLong ? 1 : 0, 0, 0, 0] + entries)
  }
}

extension HEIFFile {
  var unexpectedParts: [String] {
    let unexpected = top.map(\.name).filter { !["ftyp", "meta", "mdat", "free"].contains($0) }
      .map { "a '\($0)' box" }
    let end = top.last?.end ?? 0
    return end < source.count ? unexpected + ["bytes after the picture"] : unexpected
  }
}
