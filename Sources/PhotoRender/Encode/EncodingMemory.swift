import PhotoRecipes

/// What writing a picture takes besides the rows on their way there, in bytes.
///
/// Measured with the codecs of Debian 12.
enum EncodingMemory {
  static func bytes(_ format: any OutputFormat, _ end: Pipeline.Output) -> Int {
    let pixels = end.size.pixels
    let arguments = format.arguments(bitDepth: end.depth, size: end.size)
    switch type(of: format).name {
    case JPEGFormat.name:
      // Coefficients of 16 bits, where the whole photo is looked at before any is written.
      let isWhole =
        arguments["optimize-coding"] == .flag(true) || arguments["interlace"] == .flag(true)
      return isWhole ? pixels * 6 : 0
    case PNGFormat.name:
      let isWhole = arguments["interlace"] == .flag(true)
      return isWhole ? pixels * 4 * (end.depth / 8) : 0
    case WebPFormat.name: return pixels * 8
    case TIFFFormat.name:
      let row = end.size.width * 4 * (end.depth / 8)
      return (arguments["pyramid"] == .flag(true) ? 4 * 256 + 256 : 256) * row
    default: return pixels * 12
    }
  }
}
