import FileStructure

/// New items of a HEIC or AVIF file: gain maps, mattes and depth maps.
struct HEIFNewItems {
  /// The number of the first new item.
  let first: Int
  /// `info` is the entry in the table of items, `bytes` the content.
  private(set) var items: [(info: [UInt8], bytes: [UInt8])] = []
  private(set) var references: [(name: String, from: Int, to: [Int])] = []
  /// For each new item, its properties, each with whether readers must support it.
  private(set) var properties: [(item: Int, boxes: [(box: [UInt8], isEssential: Bool)])] = []
  /// The items of which a viewer shows one, the best that it supports; empty for none.
  var alternatives: [Int] = []

  init(first: Int) { self.first = first }

  /// The number of the next item.
  private var next: Int { first + items.count }

  /// Adds an item, and returns its number.
  mutating func add(_ type: String, _ bytes: [UInt8], isHidden: Bool = true) -> Int {
    items.append((HEIFItem.box(next, type, isHidden: isHidden), bytes))
    return next - 1
  }

  mutating func refer(_ name: String, from item: Int, to targets: [Int]) {
    references.append((name, item, targets))
  }

  /// Adds the description of an item, unless it is empty.
  mutating func describe(_ item: Int, by xmp: XMP) {
    if xmp.isEmpty { return }
    references.append(("cdsc", next, [item]))
    items.append((HEIFItem.box(next, "mime", contentType: "application/rdf+xml"), xmp.packet))
  }

  mutating func set(_ boxes: [(box: [UInt8], isEssential: Bool)], of item: Int) {
    properties.append((item, boxes))
  }

  /// The box of groups; empty if there is no group.
  var groups: [UInt8] {
    if alternatives.isEmpty { return [] }
    // The number of a group must differ from those of all items.
    let numbers = [next, alternatives.count] + alternatives
    let content = numbers.flatMap { ByteOrder.big.bytes($0, 4) }
    return Box.bytes("grpl", Box.bytes("altr", [0, 0, 0, 0] + content))
  }
}
