/// An image whose pixels, row by row, are the points of a cube: a HaldCLUT.
///
/// At level L the image has L³ × L³ pixels and the cube L² points along an edge.
/// - Source: E. Eskil Steenberg, "Hald CLUT", quelsolaar.com.
public enum HaldImage {
  /// The level of an image of `size`; nil if it is no such image.
  public static func level(of size: Size) -> Int? {
    (2...11).first { $0 * $0 * $0 == size.width && size.width == size.height }
  }

  /// The cube of an image's samples, R, G, B from 0…1; nil if it is no such image.
  public static func cube(size: Size, samples: [Float]) -> ColourCube? {
    level(of: size).flatMap { ColourCube(edge: $0 * $0, values: samples) }
  }

  /// The size in the header of a PNG file; nil if it is none.
  ///
  /// - Source: PNG (Third Edition), 5.2 and 11.2.1.
  static func size(ofPNG bytes: [UInt8]) -> Size? {
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    guard bytes.count >= 24, bytes.starts(with: start),
      Array(bytes[12..<16]) == Array("IHDR".utf8)
    else { return nil }
    func number(_ at: Int) -> Int { bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
    return Size(number(16), number(20))
  }
}
