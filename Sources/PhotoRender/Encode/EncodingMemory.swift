import PhotoRecipes

/// What writing a picture takes besides the rows on their way there, in bytes.
///
/// Measured with the codecs of Debian 12.
enum EncodingMemory {
  /// `row` is the bytes of one of its rows.
  static func bytes(_ format: any OutputFormat, _ end: Pipeline.Output, row: Int) -> Int {
    let pixels = end.size.pixels
    let arguments = format.arguments(bitDepth: end.depth, size: end.size)
    switch type(of: format).name {
    case JPEGFormat.name:
      // Coefficients of 16 bits, where the whole photo is looked at before any is written.
      let isWhole =
        arguments["optimize-coding"] == .flag(true) || arguments["interlace"] == .flag(true)
      return isWhole ? pixels * 6 : 0
    case PNGFormat.name:
      if arguments["palette"] == .flag(true) { return pixels * quantizedBytes }
      if arguments["interlace"] == .flag(true) { return pixels * 4 * (end.depth / 8) }
      // The rows, and what comes of them, which of noise is no less; libdeflate's own tables.
      let bytes = (row + 1) * end.size.height
      return bytes <= PNGFormat.wholeBytes ? 2 * bytes + (10 << 20) : 8 * row
    case WebPFormat.name: return pixels * 8
    case AVIFFormat.name, HEICFormat.name:
      return pixels * codedBytes(arguments, isDeep: end.depth > 8)
    case JXLFormat.name: return pixels * (modelledBytes(arguments) + 4 * end.depth / 8)
    case GIFFormat.name: return pixels * quantizedBytes
    case TIFFFormat.name:
      guard case .integer(let tile) = arguments["tile-height"] else { return 256 * row }
      let rows = max(256, tile)
      return (arguments["pyramid"] == .flag(true) ? 5 * rows : rows) * row + tables(arguments)
    case DeepZoomFormat.name:
      guard case .integer(let tile) = arguments["tile-size"],
        case .integer(let overlap) = arguments["overlap"]
      else { return 512 * row }
      // Rows of tiles at each of the sizes, which are 2 widths together; a directory entry a tile.
      let tiles = 2 * (end.size.width / tile + 1) * (end.size.height / tile + 1)
      return (2 * (tile + 2 * overlap) + 6) * row + 256 * tiles + (4 << 20)
    default: return pixels * 12
    }
  }

  /// Of a pixel: the frame, the one before it and its colours; what libimagequant makes of them.
  private static let quantizedBytes = 14

  /// What zstd 1.5 looks back at, or libwebp 1.2 takes for a strip without loss.
  private static func tables(_ arguments: [String: EncoderArgument]) -> Int {
    switch arguments["compression"] {
    case .choice("zstd"): 90 << 20
    case .choice("webp"): 64 << 20
    default: 0
    }
  }

  /// What libaom 3.6 or x265 3.5 takes for a pixel, the planes that it reads among it.
  private static func codedBytes(_ arguments: [String: EncoderArgument], isDeep: Bool) -> Int {
    let isFull = arguments["chroma"] == .text("444") || arguments["lossless"] == .flag(true)
    let eight =
      arguments["compression"] == .choice("av1") ? (isFull ? 60 : 42) : (isFull ? 34 : 20)
    return isDeep ? eight * 3 / 2 : eight
  }

  /// What libjxl 0.7 takes for a pixel besides the picture: it tries more at higher efforts.
  private static func modelledBytes(_ arguments: [String: EncoderArgument]) -> Int {
    guard case .integer(let effort) = arguments["effort"], effort < 8 else { return 300 }
    if effort > 5 { return 104 }
    return arguments["lossless"] == .flag(true) ? 76 : 48
  }
}
