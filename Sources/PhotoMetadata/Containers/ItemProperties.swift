/// The properties of all items of a file, and which of them each item has.
///
/// - Source: ISO/IEC 23008-12:2022, 9.3.1 (iprp, ipco, ipma).
struct ItemProperties {
  /// Every property there is.
  let all: [Box]
  /// Their numbers, from 1, by item.
  private var numbers: [Int: [Int]] = [:]

  /// Reads the `iprp` box among those of `meta`; what it says of others than `items` is passed over.
  init(_ boxes: [Box], _ source: ByteSource, items: Set<Int>) {
    guard let container = boxes.first(where: { $0.name == "iprp" }) else {
      all = []
      return
    }
    let parts = Box.all(in: source, container.content)
    all =
      parts.first { $0.name == "ipco" }.map { Box.all(in: source, $0.content) } ?? []
    for part in parts where part.name == "ipma" {
      read(source.bytes(at: part.content.lowerBound, part.content.count), items)
    }
  }

  /// In the order in which they are associated with an item.
  subscript(item: Int) -> [Box] {
    (numbers[item] ?? []).compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil }
  }

  /// Reads an `ipma` box, in which the first entry of an item counts.
  private mutating func read(_ associations: [UInt8], _ items: Set<Int>) {
    var cursor = ByteCursor(associations)
    guard let version = cursor.number(1), let flags = cursor.number(3),
      let count = cursor.number(4), count <= associations.count
    else { return }
    let width = flags & 1 == 1 ? 2 : 1
    var seen: Set<Int> = []
    for _ in 0..<count {
      guard let item = cursor.number(version == 0 ? 2 : 4), let number = cursor.number(1) else {
        return
      }
      let found = (0..<number).compactMap { _ in cursor.number(width) }
      guard items.contains(item), seen.insert(item).inserted else { continue }
      // The first bit says whether a reader must know the property.
      numbers[item, default: []] += found.map { $0 & (width == 2 ? 0x7FFF : 0x7F) }
    }
  }
}
