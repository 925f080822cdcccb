import FileStructure
import PhotoMetadata
import PhotoRecipes
import Vips

/// The gain map of a rendition: the gain map of the photo, cut, turned and resized like the photo,
/// and without effect below drawings.
struct RenderedGainMap {
  /// The longest edge in pixels of the picture that is read and of the picture that is written;
  /// larger pictures are reduced.
  static let longestEdge = 2048.0
  /// The longest edge in pixels of a map that is decoded as a whole.
  private static let mostEdge = 16_384

  let map: GainMap
  /// The map from positions in the rendition to positions in the photo as stored, both 0…1.
  let place: Homography
  /// The size of the rendition.
  let rendition: Size
  let coding: GainMapCoding
  /// The parts of the rendition that drawings cover: a `plane` of coverage, 0…1, and the map
  /// `place` from positions in the rendition to positions in the plane.
  var coverings: [(plane: Plane, place: Homography)] = []

  /// Returns the map.
  ///
  /// The resolution equals the resolution of the photo's map, but is at most half of the
  /// rendition's. Beyond the edges of the photo, the map has no effect.
  func made() throws(VipsError) -> GainMap {
    let picture = try reduced(decoded())
    let size = frame(of: picture)
    let levels = try GainMapLevels(picture, of: map)
    let covered = coverings.map { $0.plane.seen(at: size, through: $0.place) }
    let bands = levels.bands
    var samples = [UInt8](repeating: 0, count: size.pixels * bands)
    for band in 0..<bands {
      let neutral = Float(map.description.neutral(band))
      let plane = Plane(size: Size(picture.width, picture.height), beyond: neutral) {
        levels[$0, band]
      }
      let values = plane.seen(at: size, through: place)
      for (pixel, value) in values.enumerated() {
        let rest = covered.reduce(Float(1)) { $0 * (1 - min(max($1[pixel], 0), 1)) }
        let level = neutral + rest * (value - neutral)
        samples[pixel * bands + band] = UInt8((255 * min(max(level, 0), 1)).rounded())
      }
    }
    let made = try Image(
      samples: samples, width: size.width, height: size.height, bands: bands)
    var result = GainMap(picture: try coding.encoded(made), description: map.description)
    // Only Apple's programs read it, from HEIC files.
    if map.coding == .described, coding == .hevc { result.appleHeadroom = map.appleHeadroom }
    return result
  }

  /// The map's picture; a JPEG file is reduced while it is decoded.
  private func decoded() throws(VipsError) -> Image {
    let isJPEG = JPEGFile.hasSignature(.bytes(map.picture))
    let source: [String: Argument] = ["source": .source(Source(bytes: map.picture))]
    let header =
      try isJPEG
      ? Image.calling("jpegload_source", source).image("out") : Image.recognised(map.picture)
    let longest = Double(max(header.width, header.height))
    let most = isJPEG ? Self.longestEdge * 8 : Double(Self.mostEdge)
    guard (1...4).contains(header.bands), header.interpretation != "cmyk", longest <= most,
      header.format == .uchar || header.format == .ushort
    else {
      throw .failed(
        operation: "gain map",
        detail: "the map has \(header.width)×\(header.height) pixels of \(header.bands) channels")
    }
    guard isJPEG else { return header }
    let shrink = [1, 2, 4, 8].first { longest / Double($0) <= Self.longestEdge } ?? 8
    let again: [String: Argument] = [
      "source": .source(Source(bytes: map.picture)), "shrink": .integer(shrink),
    ]
    return try Image.calling("jpegload_source", again).image("out")
  }

  private func frame(of picture: Image) -> Size {
    let whole = Plane.size(
      of: place, in: Size(picture.width, picture.height), longestEdge: Self.longestEdge)
    return coding.size(
      nearest: Size(
        min(whole.width, max(1, rendition.width / 2)),
        min(whole.height, max(1, rendition.height / 2))))
  }

  /// The picture, reduced by whole numbers so that it has less than twice the resolution that the
  /// frame shows.
  private func reduced(_ picture: Image) throws(VipsError) -> Image {
    let size = Size(picture.width, picture.height)
    let (whole, frame) = (
      Plane.size(of: place, in: size, longestEdge: .infinity), frame(of: picture)
    )
    let factor = max(1, min(whole.width / frame.width, whole.height / frame.height))
    if factor < 2 { return picture }
    return try picture.applying(
      "resize", ["scale": .number(1 / Double(factor)), "kernel": .choice("linear")])
  }
}

/// The samples of a decoded gain map in the coding that its description states, 0…1.
private struct GainMapLevels {
  /// The number of channels: 1, or 3 for red, green and blue.
  let bands: Int
  private let stride: Int
  private let bytes: [UInt8]
  private let words: [UInt16]
  /// The level of each sample of 8 bits, or of each 256th sample of 16 bits.
  private let table: [Float]

  init(_ picture: Image, of map: GainMap) throws(VipsError) {
    let stride = picture.bands
    let isDeep = picture.format == .ushort
    let bytes = isDeep ? [] : try picture.samples(as: UInt8.self)
    let words = isDeep ? try picture.samples(as: UInt16.self) : []
    let count = picture.width * picture.height
    // The decoder of HEIC files makes three equal channels of one.
    let isGrey =
      stride < 3
      || (0..<count).allSatisfy { pixel in
        let index = pixel * stride
        return isDeep
          ? words[index] == words[index + 1] && words[index] == words[index + 2]
          : bytes[index] == bytes[index + 1] && bytes[index] == bytes[index + 2]
      }
    bands = map.description.channels.count == 1 && isGrey || stride < 3 ? 1 : 3
    (self.stride, self.bytes, self.words) = (stride, bytes, words)
    // A decoder shifts samples of 10 bits to the left, so that white is less than 65,535.
    let bits = picture.integer("heif-bitdepth").flatMap { (9...16).contains($0) ? $0 : nil } ?? 16
    let white = isDeep ? Double(65_536 - (1 << (16 - bits))) / 256 : 255
    table = (0...256).map { Float(map.described(min(1, Double($0) / white))) }
  }

  /// The level of a channel at a pixel, which is given by its index.
  subscript(pixel: Int, band: Int) -> Float {
    let index = pixel * stride + band
    if words.isEmpty { return table[Int(bytes[index])] }
    let (whole, rest) = (Int(words[index] >> 8), Float(words[index] & 255) / 256)
    return table[whole] + rest * (table[whole + 1] - table[whole])
  }
}
