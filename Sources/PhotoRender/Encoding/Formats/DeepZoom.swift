import FileStructure
import PhotoRecipes

extension DeepZoomFormat: EncodedFormat {
  /// The memory for a row of tiles at each zoom level (together, these rows are twice as long as
  /// the image is wide), and for a directory entry of each tile.
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    let tiles = 2 * (end.size.width / tileSize + 1) * (end.size.height / tileSize + 1)
    return (2 * (tileSize + 2 * overlap) + 6) * row + 256 * tiles + (4 << 20)
  }

  static var computesStrips: Bool { true }

  /// True if the file ends with ZIP's end-of-central-directory record, without a comment.
  static func isComplete(_ file: ByteSource) -> Bool {
    file.bytes(at: file.count - 22, 4) == [0x50, 0x4B, 5, 6]
  }

  static func isFormat(of header: PhotoHeader) -> Bool { false }
}
