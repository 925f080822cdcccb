import FileStructure
import PhotoMetadata
import PhotoRecipes
import Vips

/// The gain map of a rendition: the gain map of the photo, cropped, rotated and resized like the
/// photo, and without effect below drawings.
struct RenderedGainMap {
  /// The longest edge in pixels of the picture that is read and of the picture that is written;
  /// larger pictures are reduced.
  static let longestEdge = 2048.0
  /// The longest edge in pixels of a map that is decoded as a whole.
  private static let mostEdge = 16_384

  let map: GainMap
  /// The map from positions in the rendition to positions in the photo as stored, both 0…1.
  let place: Homography
  /// The size of the photo as stored.
  let photo: Size
  /// The size of the rendition.
  let rendition: Size
  let coding: GainMapCoding
  /// The parts of the rendition that drawings cover: a `plane` of coverage, 0…1, and the map
  /// `place` from positions in the rendition to positions in the plane.
  var coverings: [(plane: Plane, place: Homography)] = []

  /// Returns the map.
  ///
  /// The resolution equals the resolution of the photo's map, but is at most the rendition's, or
  /// half of it if the map has at most 0.6 times the photo's resolution. Beyond the edges of the
  /// photo, the map has no effect.
  func made() throws(VipsError) -> GainMap {
    let (whole, most) = try decoded()
    let (picture, place) = try cut(whole, most)
    let size = frame(of: Size(picture.width, picture.height), place, most)
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
    // Only Apple's programs read Apple's headroom, and only in HEIC files.
    if map.coding == .described, coding == .hevc { result.appleHeadroom = map.appleHeadroom }
    return result
  }

  /// The decoded picture of the photo's map, and the maximum size of the rendition's map; a JPEG
  /// file is reduced while it is decoded.
  private func decoded() throws(VipsError) -> (picture: Image, most: Size) {
    let isJPEG = JPEGFile.hasSignature(.bytes(map.picture))
    let source: [String: Argument] = ["source": .source(Source(bytes: map.picture))]
    let header =
      try isJPEG
      ? Image.calling("jpegload_source", source).image("out") : Image.recognised(map.picture)
    let longest = Double(max(header.width, header.height))
    let limit = isJPEG ? Self.longestEdge * 8 : Double(Self.mostEdge)
    guard (1...4).contains(header.bands), header.interpretation != "cmyk", longest <= limit,
      header.format == .uchar || header.format == .ushort
    else {
      throw .failed(
        operation: "gain map",
        detail: "the map has \(header.width)×\(header.height) pixels of \(header.bands) channels")
    }
    let size = Size(header.width, header.height)
    let isFine = 5 * size.longEdge > 3 * photo.longEdge
    let part = isFine ? 1 : 2
    let most = Size(max(1, rendition.width / part), max(1, rendition.height / part))
    guard isJPEG else { return (header, most) }
    let factor = excess(of: size, place, most)
    let shrink = [8, 4, 2].first { $0 <= factor } ?? 1
    let again: [String: Argument] = [
      "source": .source(Source(bytes: map.picture)), "shrink": .integer(shrink),
      "access": .choice("sequential"),
    ]
    return try (Image.calling("jpegload_source", again).image("out"), most)
  }

  /// The size of the rendition's map that is computed from a decoded picture.
  private func frame(of picture: Size, _ place: Homography, _ most: Size) -> Size {
    let whole = Plane.size(of: place, in: picture, longestEdge: Self.longestEdge)
    return coding.size(
      nearest: Size(
        min(whole.width, most.width), min(whole.height, most.height)))
  }

  /// The whole factor by which the resolution of a decoded picture exceeds that of the rendition's
  /// map.
  private func excess(of picture: Size, _ place: Homography, _ most: Size) -> Int {
    let whole = Plane.size(of: place, in: picture, longestEdge: .infinity)
    let frame = frame(of: picture, place, most)
    return max(1, min(whole.width / frame.width, whole.height / frame.height))
  }

  /// The part of a decoded picture that the rendition shows, and the map from positions in the
  /// rendition to positions in this part.
  ///
  /// The part is reduced by a whole factor, so that it has less than twice the resolution of the
  /// rendition's map.
  private func cut(
    _ picture: Image, _ most: Size
  ) throws(VipsError) -> (Image, Homography) {
    let size = Size(picture.width, picture.height)
    let factor = excess(of: size, place, most)
    let part = shown(of: size, margin: 4 * factor)
    let seen = try picture.applying(
      "extract_area",
      [
        "left": .integer(part.left), "top": .integer(part.top),
        "width": .integer(part.size.width), "height": .integer(part.size.height),
      ])
    // The mean of whole squares keeps more of the map's edges than an interpolation.
    let reduced =
      factor < 2
      ? seen
      : try seen.applying(
        "shrink",
        [
          "hshrink": .number(Double(factor)), "vshrink": .number(Double(factor)),
          "ceil": .flag(true),
        ])
    let (width, height) = (Double(reduced.width * factor), Double(reduced.height * factor))
    let toPart = Homography.scale(1 / width, 1 / height)
      .after(.translation(.init(-Double(part.left), -Double(part.top))))
      .after(.scale(Double(size.width), Double(size.height))).after(place)
    return (reduced, toPart)
  }

  /// The smallest rectangle of a picture that contains everything that the rendition shows, with
  /// some pixels around it.
  private func shown(of size: Size, margin: Int) -> Rectangle {
    let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { place(.init($0, $1)) }
    func range(_ values: [Double], _ length: Int) -> Range<Int> {
      let pixels = values.map { $0.isFinite ? min(max($0, -1), 2) * Double(length) : 0 }
      let low = Int((pixels.min() ?? 0).rounded(.down)) - margin
      let high = Int((pixels.max() ?? 0).rounded(.up)) + margin
      let first = min(max(0, low), length - 1)
      return first..<max(first + 1, min(length, high))
    }
    let (across, down) = (range(corners.map(\.x), size.width), range(corners.map(\.y), size.height))
    return Rectangle(
      left: across.lowerBound, top: down.lowerBound, size: Size(across.count, down.count))
  }
}

/// The samples of a decoded gain map in the coding that its description states, 0…1.
private struct GainMapLevels {
  /// The number of channels: 1, or 3 for red, green and blue.
  let bands: Int
  private let stride: Int
  private let bytes: [UInt8]
  private let words: [UInt16]
  /// The level for each 8-bit sample value, or for every 256th 16-bit sample value.
  private let table: [Float]

  init(_ picture: Image, of map: GainMap) throws(VipsError) {
    let stride = picture.bands
    let isDeep = picture.format == .ushort
    let bytes = isDeep ? [] : try picture.samples(as: UInt8.self)
    let words = isDeep ? try picture.samples(as: UInt16.self) : []
    let count = picture.width * picture.height
    // For a map with one channel, the decoder of HEIC files returns three equal channels.
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
