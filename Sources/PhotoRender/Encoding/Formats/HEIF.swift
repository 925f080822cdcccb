import FileStructure
import PhotoRecipes
import Vips

extension AVIFFormat: EncodedFormat {
  private static let seconds = EffortTable([0.1, 0.2, 0.5, 1.5, 3.3, 4.5, 9, 12.5, 16, 30])

  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    end.size.pixels * HEIFEncoding.bytes(hasFullColour ? 60 : 42, isDeep: end.depth > 8)
  }

  func secondsPerMegapixel(isDeep: Bool) -> Double {
    Self.seconds[effort] * HEIFEncoding.samples(isFull: hasFullColour, isDeep)
  }

  private var hasFullColour: Bool {
    HEIFEncoding.hasFullColour(arguments(bitDepth: 8, size: Size(1, 1)))
  }

  static func isComplete(_ file: ByteSource) -> Bool { HEIFEncoding.isComplete(file) }

  static func isFormat(of header: PhotoHeader) -> Bool {
    HEIFEncoding.isHEIF(header) && header.compression == "av1"
  }
}

extension HEICFormat: EncodedFormat {
  private static let seconds = EffortTable([0.3, 0.4, 0.7, 0.8, 1, 1.3, 1.6, 1.7, 1.9, 2.3])

  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    end.size.pixels * HEIFEncoding.bytes(hasFullColour ? 34 : 20, isDeep: end.depth > 8)
  }

  func secondsPerMegapixel(isDeep: Bool) -> Double {
    Self.seconds[effort] * HEIFEncoding.samples(isFull: hasFullColour, isDeep)
  }

  private var hasFullColour: Bool {
    HEIFEncoding.hasFullColour(arguments(bitDepth: 8, size: Size(1, 1)))
  }

  static func isComplete(_ file: ByteSource) -> Bool { HEIFEncoding.isComplete(file) }

  static var canWrite: Bool { VipsRuntime.canEncodeHEVC }

  static func isFormat(of header: PhotoHeader) -> Bool {
    HEIFEncoding.isHEIF(header) && header.compression == "hevc"
  }
}

/// Common properties of AVIF (libaom 3.6) and HEIC (x265 3.5).
private enum HEIFEncoding {
  /// The memory of the encoder in bytes per pixel, including the planes that it reads; `eight` is
  /// the value for 8-bit samples.
  static func bytes(_ eight: Int, isDeep: Bool) -> Int { isDeep ? eight * 3 / 2 : eight }

  /// The factor by which colour planes in full resolution, and samples of more than 8 bits, prolong
  /// the encoding.
  static func samples(isFull: Bool, _ isDeep: Bool) -> Double {
    (isFull ? 1.7 : 1) * (isDeep ? 1.6 : 1)
  }

  /// True if the colour planes have the resolution of the brightness plane.
  static func hasFullColour(_ arguments: [String: EncoderArgument]) -> Bool {
    arguments["lossless"] == .flag(true) || arguments["chroma"] == .text("444")
  }

  /// True if the last box ends at the end of the file.
  ///
  /// - Source: ISO/IEC 14496-12:2022, 4.2.
  static func isComplete(_ file: ByteSource) -> Bool {
    let boxes = Box.all(in: file, 0..<file.count)
    return boxes.count > 1 && boxes.last?.end == file.count
  }

  static func isHEIF(_ header: PhotoHeader) -> Bool { [.heif, .avif].contains(header.fileFormat) }
}
