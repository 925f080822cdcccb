import FileStructure
import PhotoRecipes

extension WebPFormat: EncodedFormat {
  /// The memory for the encoder's picture; if transparent pixels are filled, also for a copy of the
  /// picture and for the mean colours that fill them.
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    let hasAlpha = row >= 4 * end.size.width
    return end.size.pixels * (hasAlpha && keepsHiddenColours ? 18 : 8)
  }

  /// True for lossy compression.
  ///
  /// The lossy encoder itself fills only blocks of 8 × 8 pixels that are completely transparent,
  /// each block with one colour.
  var keepsHiddenColours: Bool { !lossless && !nearLossless }

  /// The seconds for one megapixel of lossy WebP, by effort.
  static let seconds = EffortTable([0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.4])

  func secondsPerMegapixel(isDeep: Bool) -> Double {
    lossless || nearLossless ? 1.5 : Self.seconds[effort]
  }

  static func isComplete(_ file: ByteSource) -> Bool {
    WebPFile(file).announcedLength == file.count
  }

  static func isFormat(of header: PhotoHeader) -> Bool { header.fileFormat == .webp }
}
