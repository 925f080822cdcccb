import PhotoRecipes

/// How long encoders may take, in seconds, on one core of a slow machine.
///
/// Measured with the codecs of Debian 12 on one core of 2023, photos of 1.5 megapixels; the figures
/// are rounded up.
enum EncodingTime {
  /// How much slower another machine may be, or the same one under load.
  static let margin = 4.0
  /// How often a picture is encoded to find the quality that fits into a number of bytes.
  private static let tries = 8.0

  /// For one output, at the size that it comes to.
  static func seconds(_ output: Output, _ end: Pipeline.Output) -> Double {
    let arguments = output.format.arguments(bitDepth: end.depth, size: end.size)
    let rate = secondsPerMegapixel(
      type(of: output.format).name, arguments, isDeep: end.depth > 8)
    let tries = output.budget.maxBytes == nil ? 1 : Self.tries
    return margin * tries * rate * Double(end.size.pixels) / 1e6
  }

  private static func secondsPerMegapixel(
    _ format: String, _ arguments: [String: EncoderArgument], isDeep: Bool
  ) -> Double {
    var effort = 0
    if case .integer(let number) = arguments["effort"] { effort = number }
    let isLossless = arguments["lossless"] == .flag(true)
    let isFull = isLossless || arguments["chroma"] == .text("444")
    // Twice the samples, and those of more than 8 bits.
    let samples = (isFull ? 1.7 : 1) * (isDeep ? 1.6 : 1)
    switch format {
    case AVIFFormat.name: return Effort.avif[clamped: effort] * samples
    case HEICFormat.name: return Effort.heic[clamped: effort] * samples
    case JXLFormat.name:
      return (isLossless ? Effort.jxlLossless : Effort.jxl)[clamped: effort]
    case WebPFormat.name: return isLossless ? 1.5 : Effort.webp[clamped: effort]
    case GIFFormat.name: return 1.5
    case PNGFormat.name: return arguments["palette"] == .flag(true) ? 1.5 : 1
    case TIFFFormat.name: return secondsPerMegapixel(compressed: arguments)
    default: return 0
    }
  }

  /// Of TIFF: nothing but for compressions that take long.
  private static func secondsPerMegapixel(compressed arguments: [String: EncoderArgument]) -> Double
  {
    switch (arguments["compression"], arguments["level"]) {
    case (.choice("zstd"), .integer(11...)): 8
    case (.choice("zstd"), _): 1
    case (.choice("webp"), _): arguments["lossless"] == .flag(true) ? 3 : Effort.webp[4]
    default: 0
    }
  }

  /// Seconds a megapixel by effort, from 0 on.
  private enum Effort {
    static let avif = [0.1, 0.2, 0.5, 1.5, 3.3, 4.5, 9, 12.5, 16, 30]
    static let heic = [0.3, 0.4, 0.7, 0.8, 1, 1.3, 1.6, 1.7, 1.9, 2.3]
    static let jxl = [0.3, 0.3, 0.3, 0.3, 0.3, 0.4, 0.5, 0.6, 2.5, 4]
    static let jxlLossless = [1, 1, 1, 1, 1, 1.5, 2, 3, 10, 30]
    static let webp = [0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.4]
  }
}

extension [Double] {
  /// The element at an index, or the nearest to it.
  fileprivate subscript(clamped index: Int) -> Double {
    self[Swift.max(0, Swift.min(count - 1, index))]
  }
}

extension Renderer {
  /// The seconds that writing all outputs of a photo may take on a slow machine, by their formats,
  /// settings and sizes.
  public func encodingSeconds(for header: PhotoHeader) throws(RenderError) -> Double {
    let graph = try LookupTables.shared.completed(recipe.graph, files, limits)
    let planned = graph.planned(for: header.shape, recipe.rendering)
    let pipeline = try Pipeline(
      planned, header, recipe.outputs, recipe.rendering, files: files, returned: [], bakes: false)
    return zip(recipe.outputs, pipeline.outputs).enumerated().reduce(0) { sum, pair in
      let frames = holdsFrames(pair.offset, of: header) ? header.pages : 1
      return sum + Double(frames) * EncodingTime.seconds(pair.element.0, pair.element.1)
    }
  }
}
