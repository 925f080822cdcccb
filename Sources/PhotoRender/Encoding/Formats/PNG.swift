import FileStructure
import PhotoRecipes

extension PNGFormat: EncodedFormat {
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    if palette { return end.size.pixels * GIFFormat.quantizedBytes }
    if interlace { return end.size.pixels * 4 * (end.depth / 8) }
    // The memory for the rows, for the compressed bytes (for noise as many as the rows), and for
    // libdeflate's tables.
    let bytes = (row + 1) * end.size.height
    return bytes <= Self.wholeBytes ? 2 * bytes + (10 << 20) : 8 * row
  }

  func secondsPerMegapixel(isDeep: Bool) -> Double { palette ? 1.5 : 1 }

  static func isComplete(_ file: ByteSource) -> Bool {
    file.bytes(at: file.count - 8, 4) == Array("IEND".utf8)
  }

  static func isFormat(of header: PhotoHeader) -> Bool { header.fileFormat == .png }
}
