import PhotoRecipes
import Vips

/// An image that a step of the recipe names, as far as its header tells of it.
struct NamedImage {
  private let file: NamedFile
  private let header: PhotoHeader
  /// What reading it row by row takes.
  private let streamingBytes: Int

  /// - Throws: `unreadableFile` for a file that is no image, `unsupportedFile` for one of a format that
  ///   is not read here.
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

  /// What reading it takes: maps that are not reduced, or turned, are decoded whole.
  func decodingBytes(asMap isMap: Bool) -> Int {
    let isWhole = isMap && (scale == 1 || header.orientation != .upright)
    let whole = pixels * header.bands * header.format.size
    return streamingBytes + (isWhole ? whole : 0)
  }

  /// What its map takes, which lies in memory.
  var mapBytes: Int { 4 * Int(Double(pixels) * scale * scale) }

  /// By how much a map of it is reduced.
  private var scale: Double { min(1, MapImage.longestEdge / Double(header.stored.longEdge)) }
}

extension Renderer {
  /// What the images take that steps name: all maps, and the largest decoder.
  ///
  /// - Throws: For an image of more pixels than the limit allows, or none.
  func namedImageBytes(_ graph: Graph) throws(RenderError) -> Int {
    var (maps, decoding) = (0, 0)
    for operation in Set(graph.nodes.map(\.operation)) {
      let isMap: Bool
      switch operation {
      case .map, .blend: isMap = true
      case .drawn: isMap = false
      default: continue
      }
      for file in operation.files {
        guard let bytes = files[file.path] else { continue }
        if case .drawn(.text) = operation { continue }
        let image = try NamedImage(file, .bytes(bytes))
        try image.check(limits)
        maps += isMap ? image.mapBytes : 0
        decoding = max(decoding, image.decodingBytes(asMap: isMap))
      }
    }
    return maps + decoding
  }
}
