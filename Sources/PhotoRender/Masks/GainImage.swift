import FileStructure
import PhotoMetadata
import PhotoRecipes
import Vips

/// The samples of a photo's gain map in the resolution of the photo, as floats of 0…1.
struct GainImage {
  let map: GainMap
  let size: Size
  /// True if the image gets an opaque fourth channel, as that of a photo with alpha.
  let hasAlpha: Bool

  /// The largest number of pixels of a map.
  static let mostPixels = 100_000_000

  /// Returns three channels; between the centres of the map's pixels, they are interpolated.
  func image() throws(VipsError) -> Image {
    let isJPEG = JPEGFile.hasSignature(.bytes(map.picture))
    let source: [String: Argument] = ["source": .source(Source(bytes: map.picture))]
    var picture =
      try isJPEG
      ? Image.calling("jpegload_source", source).image("out") : Image.recognised(map.picture)
    guard (1...4).contains(picture.bands), picture.interpretation != "cmyk",
      picture.width * picture.height <= Self.mostPixels,
      picture.format == .uchar || picture.format == .ushort
    else {
      throw .failed(
        operation: "gain map",
        detail:
          "the map has \(picture.width)×\(picture.height) pixels of \(picture.bands) channels")
    }
    // A decoder shifts samples of 10 bits to the left, so that white is less than 65,535.
    let bits = picture.integer("heif-bitdepth").flatMap { (9...15).contains($0) ? $0 : nil } ?? 16
    let white = picture.format == .uchar ? 1 : Double(65_536 - (1 << (16 - bits))) / 65_535
    let colours = picture.bands < 3 ? 1 : 3
    if picture.bands != colours {
      picture = try picture.applying(
        "extract_band", ["band": .integer(0), "n": .integer(colours)])
    }
    let enlarged = try picture.materialized().applying(
      .resize,
      [
        "width": .integer(size.width), "height": .integer(size.height),
        "kernel": .choice("linear"), "format": .choice(SampleFormat.float.rawValue),
      ])
    let three = (0..<3).map { _ in 1 / white }
    let gains = try enlarged.applying(
      "linear", ["a": .numbers(three), "b": .numbers([0, 0, 0])]
    ).applying("cast", ["format": .choice(SampleFormat.float.rawValue)])
    return hasAlpha ? try gains.applying("bandjoin_const", ["c": .numbers([1])]) : gains
  }

  /// The memory in bytes for the map of a photo.
  static func bytes(_ source: ByteSource) -> Int {
    guard let outline = PictureOutline.gainMap(of: source) else { return 0 }
    let pixels = outline.pixels ?? 4096 * 4096
    // As for photos in these formats; see `DecodingMemory`.
    let decoding = outline.isJPEG ? 2 * pixels * outline.bands : pixels * 16
    return 2 * outline.bytes + decoding + pixels * outline.bands * (outline.isJPEG ? 1 : 2)
  }
}
