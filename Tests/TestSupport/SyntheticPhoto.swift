public import Vips

/// Pictures made for tests.
public enum SyntheticPhoto {
  /// An sRGB picture of smooth ramps with a few sharp edges, the same for the same size.
  public static func image(width: Int, height: Int, alpha: Bool = false) throws -> Image {
    let bands = alpha ? 4 : 3
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * bands)
    for y in 0..<height {
      for x in 0..<width {
        let isEdge = (x / max(1, width / 7) + y / max(1, height / 5)).isMultiple(of: 2)
        pixels.append(UInt8(255 * x / max(1, width - 1)))
        pixels.append(UInt8(255 * y / max(1, height - 1)))
        pixels.append(isEdge ? 200 : 40)
        if alpha { pixels.append(UInt8(255 * (x + y) / max(1, width + height - 2))) }
      }
    }
    return try Image(pixels: pixels, width: width, height: height, bands: bands, format: .uchar)
      .applying("copy", ["interpretation": .choice("srgb")])
  }

  /// A picture as bytes of a file, written by an operation such as `jpegsave_target`.
  public static func bytes(
    _ image: Image, _ saver: String, _ arguments: [String: Argument] = [:]
  ) throws -> [UInt8] {
    let target = Target()
    try image.save(to: target, as: saver, arguments)
    return target.bytes()
  }

  public static func jpeg(width: Int = 320, height: Int = 200, quality: Int = 90) throws -> [UInt8]
  {
    try bytes(image(width: width, height: height), "jpegsave_target", ["Q": .integer(quality)])
  }

  public static func png(width: Int = 320, height: Int = 200, alpha: Bool = false) throws -> [UInt8]
  {
    try bytes(image(width: width, height: height, alpha: alpha), "pngsave_target")
  }
}
