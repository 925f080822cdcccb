public import Vips

/// The samples of an 8-bit or 16-bit picture, as integers.
public struct Samples: Equatable, Sendable {
  public var width: Int
  public var height: Int
  public var bands: Int
  /// The value of white: 255 or 65,535.
  public var maximum: Int
  public var values: [Int]

  public init(width: Int, height: Int, bands: Int, maximum: Int, values: [Int]) {
    (self.width, self.height, self.bands) = (width, height, bands)
    (self.maximum, self.values) = (maximum, values)
  }

  /// Reads a file of any format.
  public init(file: [UInt8]) throws { try self.init(Image.load(from: Source(bytes: file))) }

  public init(_ image: Image) throws {
    (width, height, bands) = (image.width, image.height, image.bands)
    if image.format == .ushort {
      maximum = 65_535
      values = try image.samples(as: UInt16.self).map { Int($0) }
    } else {
      maximum = 255
      values = try image.samples(as: UInt8.self).map { Int($0) }
    }
  }

  public func image() throws -> Image {
    let wide = maximum > 255
    let image =
      wide
      ? try Image(samples: values.map { UInt16($0) }, width: width, height: height, bands: bands)
      : try Image(samples: values.map { UInt8($0) }, width: width, height: height, bands: bands)
    let space = bands < 3 ? (wide ? "grey16" : "b-w") : (wide ? "rgb16" : "srgb")
    return try image.applying("copy", ["interpretation": .choice(space)])
  }

  /// The picture as a file; without arguments, a PNG file is compressed quickly.
  public func file(
    _ saver: String = "pngsave_target", _ arguments: [String: Argument] = [:],
    fields: [String: Vips.Field?] = [:]
  ) throws -> [UInt8] {
    let target = Target()
    let isPlain = saver == "pngsave_target" && arguments.isEmpty
    let arguments = isPlain ? ["compression": .integer(1)] : arguments
    try image().setting(fields).save(to: target, as: saver, arguments)
    return target.bytes()
  }

  public subscript(x: Int, y: Int) -> [Int] {
    let start = (y * width + x) * bands
    return Array(values[start..<start + bands])
  }

  /// The largest difference between two corresponding samples.
  public func difference(from other: Samples) -> Int {
    guard (width, height, bands) == (other.width, other.height, other.bands) else { return .max }
    return zip(values, other.values).map { abs($0 - $1) }.max() ?? 0
  }

  /// One sample of a pixel.
  public subscript(x: Int, y: Int, band: Int) -> Int {
    precondition(band < bands)
    return values[(y * width + x) * bands + band]
  }

  /// A picture of one colour.
  public static func flat(
    _ colour: [Int], _ width: Int, _ height: Int, maximum: Int = 255
  ) -> Samples {
    var values: [Int] = []
    values.reserveCapacity(width * height * colour.count)
    for _ in 0..<width * height { values += colour }
    return Samples(
      width: width, height: height, bands: colour.count, maximum: maximum, values: values)
  }
}
