import FileStructure
import Testing

/// Reads the sizes of pictures from the headers of their files.
@Suite struct PixelSizeTests {
  /// A JPEG file with a Huffman table before its frame, which has one component.
  private func jpeg(_ marker: UInt8, width: UInt8, height: UInt8 = 5) -> [UInt8] {
    let table: [UInt8] = [0xFF, 0xC4, 0, 10, 8, 0, 90, 0, 120, 0, 0, 0]
    let frame: [UInt8] = [0xFF, marker, 0, 11, 8, 1, height, 2, width, 1, 1, 0x11, 0]
    return [0xFF, 0xD8] + table + frame
  }

  private func png(width: UInt8) -> [UInt8] {
    PNGFile.signature + [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, width, 0, 0, 0, 5]
  }

  private func tiff(_ tags: [Int], width: Int) -> [UInt8] {
    let order = ByteOrder.little
    let fields = tags.flatMap { tag in
      order.bytes(tag, 2) + order.bytes(3, 2) + order.bytes(1, 4)
        + order.bytes(tag == 256 ? width : 5, 4)
    }
    return [0x49, 0x49, 42, 0, 8, 0, 0, 0] + order.bytes(tags.count, 2) + fields + [0, 0, 0, 0]
  }

  @Test(arguments: [0xC0, 0xC2, 0xCF] as [UInt8])
  func theSizeOfAJPEGFileIsThatOfItsFrame(_ marker: UInt8) throws {
    let size = try #require(PixelSize(jpeg: .bytes(jpeg(marker, width: 7))))
    #expect(size.width == 0x207 && size.height == 0x105)
  }

  @Test func theSizesOfPNGAndTIFFFilesAreThoseOfTheirHeaders() throws {
    let drawing = try #require(PixelSize(png: .bytes(png(width: 7))))
    #expect(drawing.width == 7 && drawing.height == 5)
    let scan = try #require(PixelSize(tiff: .bytes(tiff([256, 257], width: 7))))
    #expect(scan.width == 7 && scan.height == 5)
  }

  @Test func damagedHeadersHaveNoSize() {
    #expect(PixelSize(jpeg: .bytes(jpeg(0xC8, width: 7))) == nil, "this marker is no frame")
    #expect(PixelSize(jpeg: .bytes(Array(jpeg(0xC0, width: 7).dropLast(4)))) == nil)
    #expect(PixelSize(png: .bytes(png(width: 0))) == nil)
    #expect(PixelSize(png: .bytes(Array(png(width: 7).dropLast()))) == nil)
    #expect(PixelSize(tiff: .bytes(tiff([256, 257], width: 0))) == nil)
    #expect(PixelSize(tiff: .bytes(tiff([256], width: 7))) == nil)
    #expect(PixelSize(tiff: .bytes(png(width: 7))) == nil)
  }
}
