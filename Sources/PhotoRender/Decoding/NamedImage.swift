import PhotoRecipes
import Vips

/// The header of an image that a step of the recipe names.
struct NamedImage {
  /// The longest edge of a map in pixels; maps of larger images are reduced, as they take four
  /// bytes of memory a pixel.
  static let longestMapEdge = 4096.0

  private let file: NamedFile
  private let header: PhotoHeader
  /// The bytes that reading it row by row takes.
  private let streamingBytes: Int

  /// - Throws: `unreadableFile` for a file that is no image, `unsupportedFile` for one of a format
  ///   that is not read here.
  init(_ file: NamedFile, _ photo: PhotoFile) throws(RenderError) {
    self.file = file
    do throws(RenderError) { header = try PhotoHeader(of: photo, InputSettings()) } catch {
      switch error {
      case .unreadable(let detail): throw .unreadableFile(file.path, detail)
      case .truncated(let detail): throw .unreadableFile(file.path, "it is cut off: \(detail)")
      case .unsupported, .unsupportedTIFF: throw .unsupportedFile(file.path, error)
      default: throw .unreadableFile(file.path, error.message)
      }
    }
    streamingBytes =
      DecodingMemory(
        header, fileBytes: photo.size, layout: photo.layout(header)
      ).bytes
  }

  var pixels: Int { header.stored.pixels }

  /// Throws for an image of more pixels than a photo may have that is decoded whole.
  func check(_ limits: RenderLimits) throws(RenderError) {
    if pixels > limits.wholePixels {
      throw .tooManyFilePixels(file.path, header.stored, limit: limits.wholePixels)
    }
  }

  /// The bytes that reading it takes: maps that are turned or not reduced are decoded whole.
  func decodingBytes(asMap isMap: Bool) -> Int {
    let isWhole = isMap && (scale == 1 || header.orientation != .upright)
    let whole = pixels * header.bands * header.format.size
    return streamingBytes + (isWhole ? whole : 0)
  }

  /// The bytes of its map, which lies in memory.
  var mapBytes: Int { 4 * Int(Double(pixels) * scale * scale) }

  /// The factor by which a map of it is reduced.
  private var scale: Double { min(1, Self.longestMapEdge / Double(header.stored.longEdge)) }
}
