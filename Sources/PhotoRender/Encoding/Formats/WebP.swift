import FileStructure
import PhotoRecipes

extension WebPFormat: EncodedFormat {
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int { end.size.pixels * 8 }

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
