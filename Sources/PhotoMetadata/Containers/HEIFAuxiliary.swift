import FileStructure
import PhotoRecipes

/// The mattes and the depth map of a HEIC or AVIF file, which are auxiliary to the primary picture.
extension HEIFFile {
  /// The first picture of each of these kinds, as an item.
  private func auxiliaryItems(
    _ kinds: Set<AuxiliaryPicture>
  ) -> [(kind: AuxiliaryPicture, item: Int)] {
    var found: [(kind: AuxiliaryPicture, item: Int)] = []
    for reference in references where reference.kind == "auxl" {
      guard let primary, reference.targets.contains(primary),
        let type = properties(of: reference.item).first(where: { $0.name == "auxC" })
          .flatMap({ auxiliaryType($0) }),
        let kind = AuxiliaryPicture.allCases.first(where: { $0.names.contains(type) }),
        kinds.contains(kind), !found.contains(where: { $0.kind == kind })
      else { continue }
      found.append((kind, reference.item))
    }
    return found
  }

  func auxiliaries(_ kinds: Set<AuxiliaryPicture>) -> [AuxiliaryData] {
    auxiliaryItems(kinds).compactMap { kind, item in
      guard let picture = extracted(item, limit: AuxiliaryData.mostBytes) else { return nil }
      var data = AuxiliaryData(kind, picture: picture, ownDescription(of: item) ?? XMP())
      data.coded = orientation(of: item)
      // The representation is a message in the coding of HEVC.
      if type(of: item) != "av01" { data.representation = representation(of: item) }
      return data
    }
  }

  /// The XMP that describes an item; nil if it has none.
  func description(of picture: Int) -> XMP? {
    items.lazy.filter { $0.isXMP && self.references(from: $0.item, "cdsc").contains(picture) }
      .compactMap { self.bytes(of: $0.item).flatMap { try? XMP($0) } }.first
  }

  /// The XMP that describes an item and not also the photo, whose XMP the recipe's policy selects.
  private func ownDescription(of picture: Int) -> XMP? {
    let isShared = items.contains { item in
      let described = references(from: item.item, "cdsc")
      return item.isXMP && described.contains(picture)
        && primary.map(described.contains) ?? false
    }
    return isShared ? nil : description(of: picture)
  }

  /// The meaning of the samples of the file's depth map; nil if near positions are bright.
  var depthRange: DepthRange? {
    auxiliaryItems([.depth]).first.flatMap { description(of: $0.item) }
      .flatMap { AuxiliaryData(.depth, picture: [], $0).range }
  }

  /// The bytes after the URN in the `auxC` box of an item; empty if there are none.
  private func representation(of item: Int) -> [UInt8] {
    guard let box = properties(of: item).first(where: { $0.name == "auxC" }),
      let type = auxiliaryType(box)
    else { return [] }
    // Version and flags precede the URN, and a zero follows it.
    let skipped = 4 + type.utf8.count + 1
    guard (skipped + 1..<1024).contains(box.content.count) else { return [] }
    return source.bytes(at: box.content.lowerBound + skipped, box.content.count - skipped)
  }

  /// The orientation of an item's picture before its properties rotate and mirror it.
  private func orientation(of item: Int) -> Orientation {
    func value(_ name: String) -> Int? {
      properties(of: item).first { $0.name == name }
        .flatMap { source.number(at: $0.content.lowerBound, 1, .big) }
    }
    let turns = 4 - (value("irot") ?? 0) & 3
    let mirror = value("imir").map { $0 & 1 }
    // A picture that is mirrored after a rotation equals one that is mirrored before the reverse
    // rotation.
    let quarters = (mirror.map { (4 - turns % 4) + ($0 == 0 ? 2 : 0) } ?? turns) % 4
    return Orientation.allCases.first { $0.correction == (mirror != nil, quarters) } ?? .upright
  }

  var auxiliaryOutlines: [PictureOutline] {
    auxiliaryItems(Set(AuxiliaryPicture.allCases)).map { outline(of: $0.item) }
  }

  /// The outline of an item's picture.
  func outline(of item: Int) -> PictureOutline {
    let parts = [item] + references(from: item, "dimg")
    let bytes = locations.filter { parts.contains($0.item) }.flatMap(\.extents)
      .reduce(0) { min(GainMap.mostBytes, $0 + min($1.length, GainMap.mostBytes)) }
    let size = size(of: item)
    return PictureOutline(
      bytes: bytes,
      pixels: size.flatMap {
        $0.width < 1 << 20 && $0.height < 1 << 20 ? $0.width * $0.height : nil
      },
      bands: 3, isInterlaced: true)
  }
}

extension HEIFNewItems {
  /// Adds a matte or a depth map; false if its picture is not a plain HEIC or AVIF picture.
  mutating func add(_ data: AuxiliaryData, to primary: Int) -> Bool {
    guard let own = HEIFFile(.bytes(data.picture)), let picture = own.primary,
      let type = own.type(of: picture), type == "hvc1" || type == "av01",
      let content = own.bytes(of: picture, limit: AuxiliaryData.mostBytes),
      let name = type == "hvc1" ? data.kind.names.first : data.kind.names.last
    else { return false }
    let representation = type == "hvc1" ? data.representation : []
    let kind = Box.bytes("auxC", [0, 0, 0, 0] + Array(name.utf8) + [0] + representation)
    let item = add(type, content)
    refer("auxl", from: item, to: [primary])
    describe(item, by: data.xmp)
    set(own.decodingProperties(of: picture) + [(kind, true)], of: item)
    return true
  }
}
