import FileStructure
import PhotoRecipes
import Vips

extension JXLFormat: EncodedFormat {
  /// The memory for the picture and for the data of libjxl 0.7, which are larger at higher efforts.
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    end.size.pixels * (modelBytes + 4 * end.depth / 8)
  }

  private var modelBytes: Int {
    if effort >= 8 { return 300 }
    if effort > 5 { return 104 }
    return lossless ? 76 : 48
  }

  private static let seconds = EffortTable([0.3, 0.3, 0.3, 0.3, 0.3, 0.4, 0.5, 0.6, 2.5, 4])
  private static let losslessSeconds = EffortTable([1, 1, 1, 1, 1, 1.5, 2, 3, 10, 30])

  func secondsPerMegapixel(isDeep: Bool) -> Double {
    (lossless ? Self.losslessSeconds : Self.seconds)[effort]
  }

  static func isComplete(_ file: ByteSource) -> Bool {
    file.bytes(at: 0, 2) == [0xFF, 0x0A] || file.bytes(at: 4, 4) == Array("JXL ".utf8)
  }

  static var canWrite: Bool { VipsRuntime.hasOperation(Self().saver) }

  /// False for files with channels besides colours and alpha, because a rendition does not keep
  /// them.
  static func isFormat(of header: PhotoHeader) -> Bool {
    header.fileFormat == .jxl && !header.hasOtherChannels
  }
}
