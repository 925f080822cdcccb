import PhotoRecipes
import Vips

/// The header of an image that a step of the recipe names.
struct NamedImage {
  /// The longest edge, in pixels, of a map: an image that a step stretches over the photo.
  ///
  /// Maps of larger images are reduced, because a map needs four bytes of memory for each pixel.
  static let longestMapEdge = 4096.0

  private let file: NamedFile
  private let header: PhotoHeader
  /// The memory in bytes for reading the image row by row.
  private let streamingBytes: Int

  /// Reads the header of the image.
  ///
  /// - Throws: `unreadableFile` for a file that is not an image, `unsupportedFile` for an image in
  ///   a format that cannot be read here.
  init(_ file: NamedFile, _ photo: PhotoFile) throws(RenderError) {
    self.file = file
    do throws(RenderError) { header = try PhotoHeader(of: photo, InputSettings()) } catch {
      switch error {
      case .unreadable(let detail): throw .unreadableFile(file.path, detail)
      case .truncated(let detail):
        throw .unreadableFile(file.path, "the file is cut off: \(detail)")
      case .unsupported, .unsupportedTIFF, .unsupportedColours, .unsupportedRaw, .unsupportedFilm,
        .missingPreview:
        throw .unsupportedFile(file.path, error)
      default: throw .unreadableFile(file.path, error.message)
      }
    }
    streamingBytes =
      DecodingMemory(
        header, fileBytes: photo.size, layout: photo.layout(header)
      ).bytes
  }

  var pixels: Int { header.stored.pixels }

  /// Throws if the image has more pixels than a photo that is decoded whole may have.
  func check(_ limits: RenderLimits) throws(RenderError) {
    if pixels > limits.wholePixels {
      throw .tooManyFilePixels(file.path, header.stored, limit: limits.wholePixels)
    }
  }

  /// The memory in bytes for reading the image; maps that are turned or not reduced are decoded
  /// whole.
  func decodingBytes(asMap isMap: Bool) -> Int {
    let isWhole = isMap && (scale == 1 || header.orientation != .upright)
    let whole = pixels * header.bands * header.format.size
    return streamingBytes + (isWhole ? whole : 0)
  }

  /// The bytes of the image's map, which is in memory.
  var mapBytes: Int { 4 * Int(Double(pixels) * scale * scale) }

  /// The factor by which a map of the image is reduced.
  private var scale: Double { min(1, Self.longestMapEdge / Double(header.stored.longEdge)) }
}
