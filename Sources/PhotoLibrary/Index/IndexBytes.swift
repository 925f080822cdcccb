import SystemPackage

/// Encodes integers in little-endian order, and texts with their length before them.
struct IndexWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ number: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func add(raw content: some Collection<UInt8>) { bytes.append(contentsOf: content) }

  mutating func add(_ content: some Collection<UInt8>) {
    add(UInt32(truncatingIfNeeded: content.count))
    add(raw: content)
  }

  mutating func add(_ text: String) { add(Array(text.utf8)) }

  mutating func add(_ text: String?) {
    add(UInt8(text == nil ? 0 : 1))
    if let text { add(text) }
  }

  mutating func add<Element>(
    each elements: some Collection<Element>, _ body: (inout IndexWriter, Element) -> Void
  ) {
    add(UInt32(truncatingIfNeeded: elements.count))
    for element in elements { body(&self, element) }
  }

  mutating func add(_ key: FolderKey) {
    add(key.tree.rawValue)
    add(key.path.bytes)
  }
}

/// Reads the output of an `IndexWriter`, and never reads beyond its end.
struct IndexReader {
  /// The bytes are not a valid index.
  ///
  /// A damaged index is discarded, not repaired.
  struct Illegible: Error {}

  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func number<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(Illegible) -> Number {
    let bytes = try raw(Number.bitWidth / 8)
    return bytes.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  mutating func raw(_ count: Int) throws(Illegible) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw Illegible() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func bytes() throws(Illegible) -> ArraySlice<UInt8> {
    try raw(Int(number(UInt32.self)))
  }

  mutating func text() throws(Illegible) -> String {
    guard let text = String(validating: try bytes(), as: UTF8.self) else { throw Illegible() }
    return text
  }

  mutating func optionalText() throws(Illegible) -> String? {
    try number(UInt8.self) == 0 ? nil : text()
  }

  mutating func each<Element>(
    _ body: (inout IndexReader) throws(Illegible) -> Element
  ) throws(Illegible) -> [Element] {
    var elements: [Element] = []
    for _ in 0..<(try number(UInt32.self)) { elements.append(try body(&self)) }
    return elements
  }

  mutating func key() throws(Illegible) -> FolderKey {
    guard let tree = LibraryTree(rawValue: try number()), let path = FilePath(bytes: try bytes())
    else { throw Illegible() }
    return FolderKey(tree, path)
  }
}
