/// The chunks of a PNG file.
///
/// - Source: PNG Specification, 3rd edition, 5.2 to 5.4 and 11.2.1.
package struct PNGFile {
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  package struct Chunk {
    package let name: String
    package let offset: Int
    /// The length of the chunk's data in bytes.
    package let length: Int

    /// The offset of the chunk's data.
    package var data: Int { offset + 8 }
    /// The length in bytes, including head and checksum.
    package var total: Int { length + 12 }
    package var end: Int { offset + total }
  }

  package let source: ByteSource
  /// The chunks up to `IEND`, or up to the first that is not completely in the file.
  package let chunks: [Chunk]

  private static let mostChunks = 1_000_000

  package init(_ source: ByteSource) {
    self.source = source
    let size = source.count
    var chunks: [Chunk] = []
    var offset = Self.signature.count
    while offset <= size - 12, chunks.count < Self.mostChunks {
      let head = source.bytes(at: offset, 8)
      guard let length = head.number(at: 0, 4, .big), let name = head.name(at: 4),
        length <= size - offset - 12
      else { break }
      chunks.append(Chunk(name: name, offset: offset, length: length))
      offset += length + 12
      if name == "IEND" { break }
    }
    self.chunks = chunks
  }

  /// The width and height in the header; nil if the file does not begin with a PNG header.
  package static func size(of source: ByteSource) -> (width: Int, height: Int)? {
    let head = source.bytes(at: 0, 24)
    guard head.starts(with: signature), head.number(at: 8, 4, .big) == 13,
      head.name(at: 12) == "IHDR", let width = head.number(at: 16, 4, .big),
      let height = head.number(at: 20, 4, .big)
    else { return nil }
    return (width, height)
  }
}
