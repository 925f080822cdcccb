import FileStructure
import PhotoRecipes

extension DeepZoomFormat: EncodedFormat {
  /// Rows of tiles at each of the sizes, which are 2 widths together; a directory entry for each
  /// tile.
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    let tiles = 2 * (end.size.width / tileSize + 1) * (end.size.height / tileSize + 1)
    return (2 * (tileSize + 2 * overlap) + 6) * row + 256 * tiles + (4 << 20)
  }

  static var computesStrips: Bool { true }

  /// ZIP's end of central directory, without a comment, ends the file.
  static func isComplete(_ file: ByteSource) -> Bool {
    file.bytes(at: file.count - 22, 4) == [0x50, 0x4B, 5, 6]
  }

  static func isFormat(of header: PhotoHeader) -> Bool { false }
}
