/// The segments, chunks or boxes of a file, and the positions of their length fields.
struct FileParts {
  struct Part {
    let range: Range<Int>
    /// The byte range of the part's length field.
    let length: Range<Int>
  }

  let parts: [Part]

  init(_ file: [UInt8]) {
    switch file.prefix(4) {
    case [0xFF, 0xD8, 0xFF, 0xE0], [0xFF, 0xD8, 0xFF, 0xE1], [0xFF, 0xD8, 0xFF, 0xDB]:
      parts = Self.walk(file, from: 2, field: 2, width: 2, extra: 2, isBig: true)
    case [0x89, 0x50, 0x4E, 0x47]:
      parts = Self.walk(file, from: 8, field: 0, width: 4, extra: 12, isBig: true)
    case [0x52, 0x49, 0x46, 0x46]:
      parts = Self.walk(file, from: 12, field: 4, width: 4, extra: 8, isBig: false)
    case [0x49, 0x49, 0x2A, 0]: parts = Self.entries(file)
    default: parts = Self.walk(file, from: 0, field: 0, width: 4, extra: 0, isBig: true)
    }
  }

  /// Returns the parts of a file, each with a header, a length and a content.
  ///
  /// The length field includes all bytes of a part except `extra`.
  private static func walk(
    _ file: [UInt8], from start: Int, field: Int, width: Int, extra: Int, isBig: Bool
  ) -> [Part] {
    var parts: [Part] = []
    var offset = start
    while offset + field + width <= file.count {
      let place = (offset + field)..<(offset + field + width)
      let digits = isBig ? Array(file[place]) : file[place].reversed()
      let length = digits.reduce(0) { $0 << 8 | Int($1) } + extra
      guard length > 0, length <= file.count - offset else { break }
      parts.append(Part(range: offset..<(offset + length), length: place))
      offset += length
    }
    return parts
  }

  /// The entries of a little-endian TIFF file's first directory; the count of an entry is used as
  /// its length field.
  private static func entries(_ file: [UInt8]) -> [Part] {
    let start = file[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard start + 2 <= file.count else { return [] }
    return (0..<Int(file[start])).map { start + 2 + 12 * $0 }.filter { $0 + 12 <= file.count }
      .map { Part(range: $0..<($0 + 12), length: ($0 + 4)..<($0 + 8)) }
  }
}
