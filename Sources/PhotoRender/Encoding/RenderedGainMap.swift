import PhotoMetadata
import PhotoRecipes
import Vips

/// The gain map of a rendition: that of the photo, cut, turned and resized as the photo is.
struct RenderedGainMap {
  /// The longest edge in pixels of the picture that is read and of the one that is made; larger
  /// pictures are reduced.
  private static let longestEdge = 2048.0
  private static let quality = 90

  let map: GainMap
  /// The map from positions in the rendition to positions in the photo as stored, both 0…1.
  let place: Homography
  /// The size of the rendition.
  let rendition: Size

  /// Returns the map.
  ///
  /// Its resolution is that of the photo's map, but at most half of the rendition's. Beyond the
  /// edges of the photo, the map has no effect.
  func made() throws(VipsError) -> GainMap {
    let source: [String: Argument] = ["source": .source(Source(bytes: map.picture))]
    let header = try Image.calling("jpegload_source", source).image("out")
    let longest = Double(max(header.width, header.height))
    guard header.bands == 1 || header.bands == 3,
      let shrink = [1, 2, 4, 8].first(where: { longest / Double($0) <= Self.longestEdge })
    else {
      throw .failed(
        operation: "gain map",
        detail: "it is \(header.width)×\(header.height) pixels of \(header.bands) channels")
    }
    let again: [String: Argument] = [
      "source": .source(Source(bytes: map.picture)), "shrink": .integer(shrink),
    ]
    let picture = try reduced(Image.calling("jpegload_source", again).image("out"))
    let size = frame(of: picture)
    let levels = try picture.samples(as: UInt8.self)
    let bands = picture.bands
    let planes = (0..<bands).map { band in
      Plane(
        size: Size(picture.width, picture.height),
        beyond: Float(255 * map.description.neutral(band))
      ) { Float(levels[$0 * bands + band]) }
      .seen(at: size, through: place)
    }
    var samples: [UInt8] = []
    samples.reserveCapacity(size.pixels * bands)
    for pixel in 0..<size.pixels {
      for plane in planes { samples.append(UInt8(plane[pixel].rounded())) }
    }
    let made = try Image(
      samples: samples, width: size.width, height: size.height, bands: bands)
    let target = Target()
    try made.save(
      to: target, as: "jpegsave_target",
      ["Q": .integer(Self.quality), "strip": .flag(true), "subsample-mode": .choice("off")])
    return GainMap(picture: target.bytes(), description: map.description)
  }

  private func frame(of picture: Image) -> Size {
    let whole = Plane.size(
      of: place, in: Size(picture.width, picture.height), longestEdge: Self.longestEdge)
    return Size(
      min(whole.width, max(1, rendition.width / 2)),
      min(whole.height, max(1, rendition.height / 2)))
  }

  /// The picture, reduced by whole numbers so that it has less than twice the resolution that the
  /// frame shows.
  private func reduced(_ picture: Image) throws(VipsError) -> Image {
    let size = Size(picture.width, picture.height)
    let (whole, frame) = (
      Plane.size(of: place, in: size, longestEdge: .infinity), frame(of: picture)
    )
    let factor = min(whole.width / frame.width, whole.height / frame.height)
    if factor < 2 { return picture }
    return try picture.applying(
      "resize", ["scale": .number(1 / Double(factor)), "kernel": .choice("linear")])
  }
}
