import FileStructure
import PhotoRecipes
import Vips

extension GIFFormat: EncodedFormat {
  /// The bytes for each pixel: the current frame, the previous frame and its colours, and the data
  /// of libimagequant.
  static let quantizedBytes = 14

  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    end.size.pixels * Self.quantizedBytes
  }

  func secondsPerMegapixel(isDeep: Bool) -> Double { 1.5 }

  /// True if the file starts with GIF's signature and ends with its trailer byte.
  ///
  /// - Source: GIF 89a, section 27.
  static func isComplete(_ file: ByteSource) -> Bool {
    file.bytes(at: 0, 4) == Array("GIF8".utf8) && file.bytes(at: file.count - 1, 1) == [0x3B]
  }

  static var canWrite: Bool { VipsRuntime.hasOperation(Self().saver) }

  static func isFormat(of header: PhotoHeader) -> Bool { header.fileFormat == .gif }
}
