import TestSupport
import Testing
import Vips

/// A JPEG XL file in boxes with extra bytes after its picture.
@Suite struct JXLTailTests {
  private static func boxed(_ stream: [UInt8]) -> [UInt8] {
    func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
      let length = content.count + 8
      return [24, 16, 8, 0].map { UInt8(length >> $0 & 255) } + Array(name.utf8) + content
    }
    let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
    return signature + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8)) + box("jxlc", stream)
  }

  /// The picture is complete, so it is rendered in spite of the extra bytes.
  @Test(arguments: [[0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 99] + Array("Exif".utf8)])
  func bytesAfterAJPEGXLPictureAreIgnored(_ tail: [UInt8]) throws {
    let image = try SyntheticPhoto.image(width: 48, height: 32)
    let stream = try SyntheticPhoto.jxl(image)
    let whole = try Studio.develop(Self.boxed(stream), "[]")
    #expect(try Studio.develop(Self.boxed(stream) + tail, "[]") == whole)
  }
}
