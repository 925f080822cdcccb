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
    guard Self.chunk("ALPH", of: bytes) == nil,
      let pixels = Self.chunk("VP8 ", of: bytes) ?? Self.opaqueLosslessChunk(of: bytes)
    else {
      return nil
    }
    let size = UInt32(pixels.count + 4)
    let length = (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
    let file = Array("RIFF".utf8) + length + Array("WEBP".utf8) + pixels
    guard file.count <= Self.longest else { return nil }
    url = "data:image/webp;base64,\(Base64.encode(file))"
  }

  /// Lossless pixels, unless their header says that alpha is used: the bit after 14 of the width and
  /// 14 of the height.
  private static func opaqueLosslessChunk(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
    guard let chunk = chunk("VP8L", of: bytes), let flags = chunk.dropFirst(12).first,
      flags & 0x10 == 0
    else { return nil }
    return chunk
  }

  /// A chunk with its head and padding.
  private static func chunk(_ name: String, of bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var place = 12
    while place + 8 <= bytes.count {
      let length = bytes[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = place + 8 + length + length % 2
      guard end <= bytes.count else { return nil }
      if bytes[place..<place + 4].elementsEqual(name.utf8) { return bytes[place..<end] }
      place = end
    }
    return nil
  }
}
