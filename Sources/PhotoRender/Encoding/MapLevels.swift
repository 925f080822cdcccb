import PhotoRecipes
import Vips

/// The samples of a decoded gain map, matte or depth map, 0…1.
struct MapLevels {
  /// The number of channels: 1, or 3 for red, green and blue.
  let bands: Int
  private let stride: Int
  private let bytes: [UInt8]
  private let words: [UInt16]
  /// The level for each 8-bit sample value, or for every 256th 16-bit sample value.
  private let table: [Float]

  /// Reads a decoded picture; `level` converts its samples, 0…1, to levels.
  ///
  /// If `joinsEqual` is true, three equal channels count as one.
  init(
    _ picture: Image, joinsEqual: Bool, _ level: (Double) -> Double
  ) throws(VipsError) {
    let stride = picture.bands
    let isDeep = picture.format == .ushort
    let bytes = isDeep ? [] : try picture.samples(as: UInt8.self)
    let words = isDeep ? try picture.samples(as: UInt16.self) : []
    let count = picture.width * picture.height
    let isGrey =
      stride < 3
      || (0..<count).allSatisfy { pixel in
        let index = pixel * stride
        return isDeep
          ? words[index] == words[index + 1] && words[index] == words[index + 2]
          : bytes[index] == bytes[index + 1] && bytes[index] == bytes[index + 2]
      }
    bands = joinsEqual && isGrey || stride < 3 ? 1 : 3
    (self.stride, self.bytes, self.words) = (stride, bytes, words)
    // A decoder shifts samples of 10 bits to the left, so that white is less than 65,535.
    let bits = picture.integer("heif-bitdepth").flatMap { (9...16).contains($0) ? $0 : nil } ?? 16
    let white = isDeep ? Double(65_536 - (1 << (16 - bits))) / 256 : 255
    table = (0...256).map { Float(level(min(1, Double($0) / white))) }
  }

  /// The level of a channel at a pixel, which is given by its index.
  subscript(pixel: Int, band: Int) -> Float {
    let index = pixel * stride + band
    if words.isEmpty { return table[Int(bytes[index])] }
    let (whole, rest) = (Int(words[index] >> 8), Float(words[index] & 255) / 256)
    return table[whole] + rest * (table[whole + 1] - table[whole])
  }
}
