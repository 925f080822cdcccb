/// The properties of all items of a file, and which of them each item has.
///
/// - Source: ISO/IEC 23008-12:2022, 9.3.1 (iprp, ipco, ipma).
struct ItemProperties {
  /// Every property there is.
  let all: [Box]
  /// Their numbers, from 1, by item.
  private var numbers: [Int: [Int]] = [:]
  /// Where these numbers stand in the file.
  private var associations: [Association] = []

  /// The numbers of one item's properties, as they stand in the file.
  private struct Association {
    let place: Int
    /// Bytes of a number, the first bit of which says whether a reader must know the property.
    let width: Int
    let numbers: [Int]

    var properties: [Int] { numbers.map { $0 & (width == 2 ? 0x7FFF : 0x7F) } }
  }

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
      read(
        source.bytes(at: part.content.lowerBound, part.content.count),
        at: part.content.lowerBound, items)
    }
  }

  /// In the order in which they are associated with an item.
  subscript(item: Int) -> [Box] {
    (numbers[item] ?? []).compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil }
  }

  /// Reads an `ipma` box, in which the first entry of an item counts.
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

extension ItemProperties {
  private static let transforming: Set<String> = ["clap", "irot", "imir"]

  /// What lets all that describes an item stand before what crops and turns it, each in its order.
  ///
  /// - Source: ISO/IEC 23008-12:2022, 6.5.1: writers should do so, and some do not.
  var orderings: [BytePatch] {
    associations.compactMap { association in
      let pairs = zip(association.numbers, association.properties).map {
        (number: $0, isTransforming: isTransforming($1))
      }
      let sorted = pairs.filter { !$0.isTransforming } + pairs.filter(\.isTransforming)
      let numbers = sorted.map(\.number)
      if numbers == association.numbers { return nil }
      return BytePatch(
        offset: association.place,
        bytes: numbers.flatMap { ByteOrder.big.bytes($0, association.width) })
    }
  }

  private func isTransforming(_ number: Int) -> Bool {
    all.indices.contains(number - 1) && Self.transforming.contains(all[number - 1].name)
  }
}
