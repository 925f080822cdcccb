import FileStructure
import PhotoRecipes
import Vips

extension GIFFormat: EncodedFormat {
  /// The bytes of a pixel: this frame, the one before and its colours, and libimagequant's data.
  static let quantizedBytes = 14

  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    end.size.pixels * Self.quantizedBytes
  }

  func secondsPerMegapixel(isDeep: Bool) -> Double { 1.5 }

  /// - Source: GIF 89a, section 27.
  static func isComplete(_ file: ByteSource) -> Bool {
    file.bytes(at: 0, 4) == Array("GIF8".utf8) && file.bytes(at: file.count - 1, 1) == [0x3B]
  }

  static var canWrite: Bool { VipsRuntime.hasOperation(Self().saver) }

  static func isFormat(of header: PhotoHeader) -> Bool { header.fileFormat == .gif }
}
