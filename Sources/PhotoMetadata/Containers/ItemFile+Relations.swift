/// What items of a HEIC or AVIF file have to do with one another, and their properties.
extension ItemFile {
  /// One item's references of a kind to others.
  struct Reference {
    let box: Box
    let item: Int
    let targets: [Int]

    /// `cdsc` from what describes a picture, `dimg` from what is derived of pictures, `thmb` from a
    /// thumbnail, `auxl` from an auxiliary picture.
    var kind: String { box.name }
  }

  /// - Source: ISO/IEC 14496-12:2022, 8.11.12 (iref).
  var references: [Reference] {
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
      return Reference(box: box, item: item, targets: targets)
    }
  }

  /// The items that one refers to.
  func references(from item: Int, _ kind: String) -> [Int] {
    references.filter { $0.item == item && $0.kind == kind }.flatMap(\.targets)
  }

  /// The properties of an item, in the order in which they are associated with it.
  ///
  /// - Source: ISO/IEC 23008-12:2022, 9.3.1 (iprp, ipco, ipma).
  func properties(of item: Int) -> [Box] {
    guard let container = boxes.first(where: { $0.name == "iprp" }) else { return [] }
    let parts = Box.all(in: source, container.content)
    guard let list = parts.first(where: { $0.name == "ipco" }) else { return [] }
    let all = Box.all(in: source, list.content)
    return parts.filter { $0.name == "ipma" }.flatMap { indices(of: item, in: $0) }
      .compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil }
  }

  /// The numbers of an item's properties, from 1.
  private func indices(of item: Int, in associations: Box) -> [Int] {
    var cursor = ByteCursor(
      source.bytes(at: associations.content.lowerBound, associations.content.count))
    guard let version = cursor.number(1), let flags = cursor.number(3),
      let count = cursor.number(4), count <= associations.content.count
    else { return [] }
    let width = flags & 1 == 1 ? 2 : 1
    for _ in 0..<count {
      guard let subject = cursor.number(version == 0 ? 2 : 4), let number = cursor.number(1)
      else { return [] }
      let found = (0..<number).compactMap { _ in cursor.number(width) }
      // The first bit says whether a reader must know the property.
      if subject == item { return found.map { $0 & (width == 2 ? 0x7FFF : 0x7F) } }
    }
    return []
  }

  /// The width and height that an item has before it is turned; nil where it does not say.
  func size(of item: Int) -> (width: Int, height: Int)? {
    guard let box = properties(of: item).first(where: { $0.name == "ispe" }) else { return nil }
    var cursor = ByteCursor(
      source.bytes(at: box.content.lowerBound, min(12, box.content.count)), at: 4)
    guard let width = cursor.number(4), let height = cursor.number(4) else { return nil }
    return (width, height)
  }
}
