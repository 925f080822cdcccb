import FileStructure
import PhotoRecipes

extension TIFFFormat: EncodedFormat {
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    let rows = max(256, tileHeight)
    return (pyramid ? 5 * rows : rows) * row + tables
  }

  /// The memory in bytes of zstd 1.5's window, or of libwebp 1.2 for a lossless strip.
  private var tables: Int {
    switch compression {
    case .zstd: 90 << 20
    case .webp: 64 << 20
    case .none, .lzw, .deflate, .packbits, .jpeg, .ccittfax4: 0
    }
  }

  func secondsPerMegapixel(isDeep: Bool) -> Double {
    switch compression {
    case .zstd: level >= 11 ? 8 : 1
    case .webp: lossless ? 3 : WebPFormat.seconds[4]
    case .none, .lzw, .deflate, .packbits, .jpeg, .ccittfax4: 0
    }
  }

  static func isComplete(_ file: ByteSource) -> Bool {
    !file.bytes(at: 0, 12).allSatisfy { $0 == 0 }
  }

  static func isFormat(of header: PhotoHeader) -> Bool { header.fileFormat == .tiff }
}
