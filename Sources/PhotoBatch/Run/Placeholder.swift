import FileStructure
import PhotoLibrary
import PhotoRecipes

/// A tiny picture embedded in a page, shown enlarged and blurred until the photo is loaded.
struct Placeholder {
  /// A `data:` URL.
  let url: String

  /// The largest size in bytes: a page has one for each photo.
  static let longest = 400

  /// Copies only the pixels of a small WebP file, without profile and metadata. Nil if they are not
  /// found, take too many bytes, or are partly transparent: the placeholder stays behind the loaded
  /// photo and would show through.
  ///
  /// - Source: WebP Container Specification, RFC 9649, 2.5 (simple file format), 2.7.1.2 (alpha)
  ///   and 3.4 (the header of lossless pixels).
  init?(webP bytes: [UInt8]) {
    let chunks = WebPFile(.bytes(bytes)).chunks
    guard !chunks.contains(where: { $0.name == "ALPH" }),
      let chunk = chunks.first(where: { $0.name == "VP8 " })
        ?? chunks.first(where: { $0.name == "VP8L" && Self.isOpaque($0, bytes) }),
      chunk.end <= bytes.count
    else {
      return nil
    }
    let pixels = bytes[chunk.offset..<chunk.end]
    let length = ByteOrder.little.bytes(pixels.count + 4, 4)
    let file = Array("RIFF".utf8) + length + Array("WEBP".utf8) + pixels
    guard file.count <= Self.longest else { return nil }
    url = "data:image/webp;base64,\(Base64.encode(file))"
  }

  /// True if the header of lossless pixels says that alpha is not used: the bit after 14 of the
  /// width and 14 of the height.
  private static func isOpaque(_ chunk: WebPFile.Chunk, _ bytes: [UInt8]) -> Bool {
    bytes.number(at: chunk.data + 4, 1, .little).map { $0 & 0x10 == 0 } ?? false
  }
}
