import FileStructure
import PhotoRecipes

extension JPEGFormat: EncodedFormat {
  /// The memory for the 16-bit coefficients of the whole picture, if the encoder needs all
  /// coefficients before it writes the first.
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    let arguments = arguments(bitDepth: end.depth, size: end.size)
    let isWhole =
      arguments["optimize-coding"] == .flag(true) || arguments["interlace"] == .flag(true)
    let isMeasured = arguments["measure"] == .flag(true)
    return end.size.pixels * ((isWhole ? 6 : 0) + (isMeasured ? 3 : 0))
  }

  func secondsPerMegapixel(isDeep: Bool) -> Double { effort > 1 ? 0.1 : 0 }

  static func isComplete(_ file: ByteSource) -> Bool {
    JPEGFile.hasSignature(file)
      && file.bytes(at: file.count - 2, 2) == [0xFF, UInt8(JPEGFile.Marker.end)]
  }

  static func isFormat(of header: PhotoHeader) -> Bool { header.fileFormat == .jpeg }
}
