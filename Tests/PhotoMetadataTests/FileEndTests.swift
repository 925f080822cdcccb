import PhotoMetadata
import Testing

/// Where a JPEG XL file may end.
@Suite struct FileEndTests {
  private static let stream: [UInt8] = [0xFF, 0x0A] + [UInt8](repeating: 7, count: 30)
  private static let whole = BoxBytes.jxlHead + BoxBytes.box("jxlc", stream)
  private static let first = BoxBytes.box("jxlp", [0, 0, 0, 0] + stream)
  private static let last = BoxBytes.box("jxlp", [0x80, 0, 0, 1] + stream)

  /// Less than a box's head, a box that is cut off, a whole one.
  @Test(arguments: [
    [0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 99] + Array("Exif".utf8), BoxBytes.box("free", [1]),
  ])
  func whatFollowsThePictureIsNotMissing(_ tail: [UInt8]) throws {
    #expect(FileEnd.missing(in: .bytes(Self.whole + tail)) == nil)
    let parts = BoxBytes.jxlHead + Self.first + Self.last
    #expect(FileEnd.missing(in: .bytes(parts + tail)) == nil)
    // The same is taken for whole where metadata is put in, and only boxes stay.
    let written = try Metadata().embedded(in: Self.whole + tail)
    let isBox = tail.count == 9
    #expect(written == Self.whole + (isBox ? tail : []))
  }

  @Test func aPictureWithoutItsLastPartIsCutOff() {
    let parts = BoxBytes.jxlHead + Self.first + Self.last
    for count in 1...Self.last.count {
      let file = Array(parts.dropLast(count))
      #expect(FileEnd.missing(in: .bytes(file)) != nil, "\(count)")
      #expect(throws: MetadataError.self) { try Metadata().embedded(in: file) }
    }
    #expect(FileEnd.missing(in: .bytes(Array(Self.whole.dropLast()))) != nil)
  }
}
