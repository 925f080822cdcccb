import FileStructure

/// The properties in a file, and their association with items.
///
/// - Source: ISO/IEC 23008-12:2022, 9.3.1 (iprp, ipco, ipma).
struct HEIFProperties {
  /// The boxes of all properties.
  let all: [Box]
  /// The indices in `all` of each item's properties, counted from 1.
  private var numbers: [Int: [Int]] = [:]
  /// The associations in the order of the file.
  private(set) var associations: [Association] = []

  /// The list of property indices of one item, as the file stores it.
  struct Association {
    let place: Int
    /// The number of bytes of an index.
    ///
    /// The first bit of an index is set if a reader must support the property.
    let width: Int
    let numbers: [Int]

    var properties: [Int] { numbers.map { $0 & (width == 2 ? 0x7FFF : 0x7F) } }
  }

  /// Reads the `iprp` box in `meta`; keeps only the associations of `items`.
  init(_ boxes: [Box], _ source: ByteSource, items: Set<Int>) {
    guard let container = boxes.first(where: { $0.name == "iprp" }) else {
      all = []
      return
    }
    let parts = Box.all(in: source, container.content)
    all =
      parts.first { $0.name == "ipco" }.map { Box.all(in: source, $0.content) } ?? []
    for part in parts where part.name == "ipma" {
      read(
        source.bytes(at: part.content.lowerBound, part.content.count),
        at: part.content.lowerBound, items)
    }
  }

  /// The properties of an item, in the order in which the file associates them with the item.
  subscript(item: Int) -> [Box] {
    (numbers[item] ?? []).compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil }
  }

  /// Reads an `ipma` box.
  ///
  /// If there are several entries for an item, the first is used.
  private mutating func read(_ bytes: [UInt8], at place: Int, _ items: Set<Int>) {
    var cursor = ByteCursor(bytes)
    guard let version = cursor.number(1), let flags = cursor.number(3),
      let count = cursor.number(4), count <= bytes.count
    else { return }
    let width = flags & 1 == 1 ? 2 : 1
    var seen: Set<Int> = []
    for _ in 0..<count {
      guard let item = cursor.number(version == 0 ? 2 : 4), let number = cursor.number(1) else {
        return
      }
      let start = place + cursor.offset
      let found = Association(
        place: start, width: width,
        numbers: (0..<number).compactMap { _ in cursor.number(width) })
      guard items.contains(item), seen.insert(item).inserted else { continue }
      numbers[item, default: []] += found.properties
      associations.append(found)
    }
  }
}
