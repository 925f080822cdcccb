import FileStructure
public import Vips

/// Pictures and image files that tests create.
public enum SyntheticPhoto {
  /// An sRGB picture of smooth ramps with a few sharp edges; pictures of the same size are
  /// identical.
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

  /// A PNG file of noise, which no encoder can compress; pictures of the same size are identical.
  public static func noise(width: Int, height: Int) throws -> [UInt8] {
    var state: UInt64 = 1
    let pixels = (0..<width * height * 3).map { _ in
      // - Source: D. E. Knuth's MMIX generator.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    let image = try Image(pixels: pixels, width: width, height: height, bands: 3, format: .uchar)
      .applying("copy", ["interpretation": .choice("srgb")])
    return try bytes(image, "pngsave_target")
  }

  /// A picture as the bytes of a file, written by an operation such as `jpegsave_target`.
  public static func bytes(
    _ image: Image, _ saver: String, _ arguments: [String: Argument] = [:]
  ) throws -> [UInt8] {
    let target = Target()
    try image.save(to: target, as: saver, arguments)
    return target.bytes()
  }

  /// A picture as a bare JPEG XL codestream.
  ///
  /// libvips 8.14 writes a codestream, libvips 8.16 writes it into the boxes of a container.
  public static func jxl(
    _ image: Image, _ arguments: [String: Argument] = ["effort": .integer(3)]
  ) throws -> [UInt8] {
    let file = try bytes(image, "jxlsave_target", arguments)
    if file.starts(with: [0xFF, 0x0A]) { return file }
    return Box.all(in: .bytes(file), file.indices).flatMap { box -> [UInt8] in
      switch box.name {
      case "jxlc": Array(file[box.content])
      // The box starts with the part's number, in four bytes.
      case "jxlp": Array(file[box.content].dropFirst(4))
      default: []
      }
    }
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
