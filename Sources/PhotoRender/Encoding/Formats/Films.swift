import FileStructure
import PhotoRecipes

extension FilmFormat {
  /// The bytes for each pixel: the frames that wait in the encoder, and its tables.
  private static var bytesPerPixel: Int { 200 }
  /// The bytes of an encoder for frames of any size.
  private static var leastBytes: Int { 64 << 20 }

  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    Self.leastBytes + end.size.pixels * Self.bytesPerPixel
  }

  /// The seconds for a megapixel of one frame: decoding, filters and encoding.
  fileprivate func seconds(isDeep: Bool) -> Double {
    let slowness = EffortTable([0.2, 0.3, 0.4, 0.6, 0.8, 1, 2, 4, 8])[coding.effort]
    return 0.2 + (isDeep ? 0.4 : 0.3) * slowness
  }
}

extension MP4Format: EncodedFormat {
  func secondsPerMegapixel(isDeep: Bool) -> Double { seconds(isDeep: isDeep) }

  static func isFormat(of header: PhotoHeader) -> Bool { false }

  static func isComplete(_ file: ByteSource) -> Bool { Movie.isComplete(file) }
}

extension MOVFormat: EncodedFormat {
  func secondsPerMegapixel(isDeep: Bool) -> Double { seconds(isDeep: isDeep) }

  static func isFormat(of header: PhotoHeader) -> Bool { false }

  static func isComplete(_ file: ByteSource) -> Bool { Movie.isComplete(file) }
}

extension WebMFormat: EncodedFormat {
  func secondsPerMegapixel(isDeep: Bool) -> Double { seconds(isDeep: isDeep) }

  static func isFormat(of header: PhotoHeader) -> Bool { false }

  /// True if the file starts with EBML's signature.
  static func isComplete(_ file: ByteSource) -> Bool {
    file.bytes(at: 0, 4) == [0x1A, 0x45, 0xDF, 0xA3]
  }
}

private enum Movie {
  /// True if the boxes of the file reach to its end and describe a film.
  static func isComplete(_ file: ByteSource) -> Bool {
    let boxes = Box.all(in: file, 0..<file.count)
    return boxes.last?.end == file.count && boxes.contains { $0.name == "moov" }
  }
}
