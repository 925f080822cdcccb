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

  /// The references in the boxes of `meta`.
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
      return Reference(box: box, item: item, targets: targets)
    }
  }

  /// The items that one refers to.
  func references(from item: Int, _ kind: String) -> [Int] {
    references.filter { $0.item == item && $0.kind == kind }.flatMap(\.targets)
  }

  /// The properties of an item, in the order in which they are associated with it.
  func properties(of item: Int) -> [Box] { properties[item] }

  /// The width and height that an item has before it is turned; nil where it does not say.
  func size(of item: Int) -> (width: Int, height: Int)? {
    guard let box = properties(of: item).first(where: { $0.name == "ispe" }) else { return nil }
    var cursor = ByteCursor(
      source.bytes(at: box.content.lowerBound, min(12, box.content.count)), at: 4)
    guard let width = cursor.number(4), let height = cursor.number(4) else { return nil }
    return (width, height)
  }
}
