import FileStructure
import Testing

@testable import PhotoMetadata

/// Texts in UTF-16, in the byte order of their block.
@Suite struct EXIFEncodingTests {
  private static let tags: [EXIFTag] = [.userComment, .processingMethod, .areaInformation]

  @Test(arguments: tags) func textsInUTF16AreReadInBothByteOrders(_ tag: EXIFTag) {
    var exif = EXIF(order: .big)
    let text = Array("UNICODE\0".utf8) + "Größe".utf16.flatMap { ByteOrder.big.bytes(Int($0), 2) }
    exif.set(.init(tag: tag.number, type: .undefined, bytes: text), in: tag.directory)
    let swapped = exif.inOrder(.little)
    #expect(exif.encodedText(tag) == "Größe" && swapped.encodedText(tag) == "Größe")
    #expect(swapped.inOrder(.big) == exif)
    // The order of Windows' texts does not depend on the block's.
    exif.set(
      .init(tag: EXIFTag.windowsTitle.number, type: .byte, bytes: [65, 0, 66, 0, 0, 0]),
      in: .primary)
    #expect(exif.windowsText(.windowsTitle) == "AB")
    #expect(exif.inOrder(.little).windowsText(.windowsTitle) == "AB")
  }

  @Test func aByteOrderMarkTakesPrecedence() {
    var exif = EXIF(order: .big)
    let bytes = Array("UNICODE\0".utf8) + [0xFF, 0xFE, 65, 0]
    exif.set(.init(tag: 0x9286, type: .undefined, bytes: bytes), in: .photo)
    #expect(exif.encodedText(.userComment) == "A")
    #expect(exif.inOrder(.little).encodedText(.userComment) == "A")
  }
}
