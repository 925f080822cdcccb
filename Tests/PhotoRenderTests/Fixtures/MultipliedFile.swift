import TestSupport
import Testing
import Vips

/// Files written by libvips, changed to state that their colours are premultiplied by alpha.
enum MultipliedFile {
  /// A TIFF file whose last channel has another meaning: 0 is unspecified, 1 is alpha by which the
  /// colours are multiplied.
  static func tiff(_ image: Image, meaning: UInt8 = 1) throws -> [UInt8] {
    var file = try SyntheticPhoto.bytes(image, "tiffsave_target")
    // The field ExtraSamples with one 16-bit value, which means alpha that is not premultiplied.
    let field: [UInt8] = [0x52, 0x01, 3, 0, 1, 0, 0, 0, 2, 0]
    let place = try #require(file.indices.first { file[$0...].starts(with: field) })
    file[place + 8] = meaning
    return file
  }

  /// A JPEG XL file of an 8-bit image of 16 × 8 pixels.
  ///
  /// - Source: ISO/IEC 18181-1:2024, annex D.3.6: libvips writes the header of the extra channel as
  ///   one bit for all defaults. This header is replaced by the full header, which is two bytes
  ///   longer.
  static func jxl(_ image: Image) throws -> [UInt8] {
    let file = try SyntheticPhoto.jxl(image, ["lossless": .flag(true)])
    var bits = file.flatMap { byte in (0..<8).map { byte >> $0 & 1 } }
    // Skips the signature, a small size with a standard aspect ratio, the bit depth, and the count
    // of one channel.
    let place = 16 + 17
    try #require(file.starts(with: [0xFF, 0x0A]) && bits[place] == 1)
    let depth: [UInt8] = [0, 1, 1, 1, 1, 1, 0, 0, 0]
    let (kind, shift, name): ([UInt8], [UInt8], [UInt8]) = ([0, 0], [0, 0], [0, 0])
    bits.replaceSubrange(place...place, with: [0] + kind + depth + shift + name + [1])
    return stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(0) { $0 | bits[start + $1] << UInt8($1) }
    }
  }
}
