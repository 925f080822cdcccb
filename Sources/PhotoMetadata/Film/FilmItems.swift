import FileStructure

/// A box `meta` of a film with a list of texts: metadata of QuickTime, whose keys are names, or of
/// iTunes, whose keys are the names of boxes.
///
/// - Source: Apple, "QuickTime File Format", "Metadata"; ISO/IEC 14496-12:2022, 8.11.1.
struct FilmItems {
  struct Item {
    var key: String
    /// The vocabulary of a named key, such as `mdta`; empty for the name of a box.
    var namespace: [UInt8] = []
    /// The boxes with the item's values.
    var values: [UInt8]
  }

  /// Version and flags before the boxes, as in MP4 files; empty in QuickTime files.
  private var head: [UInt8] = []
  /// The boxes before and after the lists.
  private var before: [UInt8] = []
  private var after: [UInt8] = []
  /// True if keys are names, which have a list of their own.
  let isNamed: Bool
  var items: [Item] = []

  /// An empty box.
  init(isNamed: Bool) {
    self.isNamed = isNamed
    head = isNamed ? [] : [0, 0, 0, 0]
    let handler = [UInt8](repeating: 0, count: 8) + Array((isNamed ? "mdta" : "mdirappl").utf8)
    before = Box.bytes("hdlr", handler + [UInt8](repeating: 0, count: isNamed ? 13 : 9))
  }

  /// Reads the content of a box; nil if it has no list of texts.
  init?(_ content: [UInt8]) {
    if content.name(at: 4) != "hdlr" { head = Array(content.prefix(4)) }
    let file = ByteSource.bytes(content)
    let boxes = Box.all(in: file, head.count..<max(head.count, content.count))
    guard let list = boxes.first(where: { $0.name == "ilst" }) else { return nil }
    let names = boxes.first { $0.name == "keys" }
    isNamed = names != nil
    var keys: [(name: String, namespace: [UInt8])] = []
    if let names, names.content.count >= 8 {
      for key in Self.boxes(in: content, (names.content.lowerBound + 8)..<names.end) {
        keys.append((String(decoding: content[key.content], as: UTF8.self), Array(key.name)))
      }
    }
    for box in boxes where box.name != "keys" && box.name != "ilst" {
      let bytes = content[box.offset..<box.end]
      if box.offset < list.offset { before += bytes } else { after += bytes }
    }
    for item in Self.boxes(in: content, list.content) {
      let values = Array(content[item.content])
      if names == nil {
        items.append(Item(key: Self.latin(item.name), values: values))
      } else if let number = Array(item.name).number(at: 0, 4, .big), number >= 1,
        number <= keys.count
      {
        let key = keys[number - 1]
        items.append(Item(key: key.name, namespace: key.namespace, values: values))
      }
    }
  }

  /// The content of the box.
  var content: [UInt8] {
    var (keys, list): ([UInt8], [UInt8]) = ([], [])
    for (index, item) in items.enumerated() {
      let name = isNamed ? ByteOrder.big.bytes(index + 1, 4) : Self.bytes(ofLatin: item.key)
      list += Self.box(name, item.values)
      if isNamed { keys += Self.box(item.namespace, Array(item.key.utf8)) }
    }
    let head = [UInt8](repeating: 0, count: 4) + ByteOrder.big.bytes(items.count, 4)
    return self.head + before + (isNamed ? Box.bytes("keys", head + keys) : [])
      + Box.bytes("ilst", list) + after
  }

  /// Adds a text in UTF-8.
  mutating func add(_ text: String, as key: String) {
    let value = Box.bytes("data", [0, 0, 0, 1, 0, 0, 0, 0] + text.utf8)
    items.append(
      Item(key: key, namespace: isNamed ? Array("mdta".utf8) : [], values: value))
  }

  // MARK: Boxes with any name

  /// The boxes in a range of bytes, by their names of four bytes.
  static func boxes(
    in bytes: [UInt8], _ range: Range<Int>
  ) -> [(name: ArraySlice<UInt8>, content: Range<Int>)] {
    var found: [(name: ArraySlice<UInt8>, content: Range<Int>)] = []
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound {
      guard let length = bytes.number(at: offset, 4, .big), length >= 8,
        length <= range.upperBound - offset
      else { break }
      found.append((bytes[(offset + 4)..<(offset + 8)], (offset + 8)..<(offset + length)))
      offset += length
    }
    return found
  }

  static func box(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] {
    ByteOrder.big.bytes(content.count + 8, 4) + name + content
  }

  /// The name of a box as text: `©` is one byte.
  static func latin(_ name: some Sequence<UInt8>) -> String {
    String(String.UnicodeScalarView(name.map { Unicode.Scalar($0) }))
  }

  private static func bytes(ofLatin name: String) -> [UInt8] {
    name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }
}
