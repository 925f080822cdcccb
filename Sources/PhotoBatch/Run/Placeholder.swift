import FileStructure
import PhotoLibrary
import PhotoRecipes

/// A tiny picture that is part of a page: it is shown, enlarged and smooth, until the photo is there.
struct Placeholder {
  /// A `data:` URL.
  let url: String

  /// The most bytes of the picture: pages hold one for every photo.
  static let longest = 400

  /// Takes the pixels out of a small WebP file, without the profile and whatever else it holds; nil
  /// where they cannot be found or are too many, and where some are transparent: what is behind the
  /// photo would be seen through it for good.
  ///
  /// - Source: WebP Container Specification, RFC 9649, 2.5 (simple file format), 2.7.1.2 (alpha) and
  ///   3.4 (the header of lossless pixels).
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

  /// True if the header of lossless pixels says that alpha is not used: the bit after 14 of the width
  /// and 14 of the height.
  private static func isOpaque(_ chunk: WebPFile.Chunk, _ bytes: [UInt8]) -> Bool {
    bytes.number(at: chunk.data + 4, 1, .little).map { $0 & 0x10 == 0 } ?? false
  }
}
