/// The chunks of a WebP file.
///
/// - Source: WebP Container Specification, RFC 9649, 2.3 and 2.4.
package struct WebPFile {
  package struct Chunk {
    package let name: String
    package let offset: Int
    /// The length of the chunk's data in bytes.
    package let length: Int

    /// The offset of the chunk's data.
    package var data: Int { offset + 8 }
    /// The length in bytes, including the head; data is padded to an even length.
    package var total: Int { 8 + length + length % 2 }
    package var end: Int { offset + total }

    /// The chunks in a range of a file, up to the first chunk that exceeds the range.
    package static func all(in source: ByteSource, _ range: Range<Int>) -> [Chunk] {
      var chunks: [Chunk] = []
      var offset = range.lowerBound
      while offset <= range.upperBound - 8, chunks.count < mostChunks {
        let head = source.bytes(at: offset, 8)
        guard let name = head.name(at: 0), let length = head.number(at: 4, 4, .little),
          length <= range.upperBound - offset - 8
        else { break }
        let chunk = Chunk(name: name, offset: offset, length: length)
        chunks.append(chunk)
        offset += chunk.total
      }
      return chunks
    }

    private static let mostChunks = 100_000
  }

  /// The number of bytes before the first chunk: `RIFF`, the file's length and `WEBP`.
  package static let headLength = 12

  package let source: ByteSource
  package let chunks: [Chunk]

  package init(_ source: ByteSource) {
    self.source = source
    let size = source.count
    chunks = size < Self.headLength ? [] : Chunk.all(in: source, Self.headLength..<size)
  }

  /// True if a WebP file starts with these bytes.
  package static func hasSignature(_ head: [UInt8]) -> Bool {
    head.name(at: 0) == "RIFF" && head.name(at: 8) == "WEBP"
  }

  /// The length of the file in bytes, as stated at the start of the file.
  package var announcedLength: Int { (source.number(at: 4, 4, .little) ?? 0) + 8 }
}
