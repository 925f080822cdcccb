import FileStructure
import PhotoMetadata
import TestSupport
import Testing

/// Metadata blocks that state a length of 4 GB or more than the file has, and thousands of picture
/// lists.
@Suite struct LongLengthTests {
  private static let packet = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
  private static let most: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]

  private static func files() throws -> [String: [UInt8]] {
    let jpeg = try Specimen.plain("jpeg")
    let png = try Specimen.plain("png")
    let webp = try Specimen.plain("webp")
    let tag: [UInt8] = [0xBC, 0x02, 1, 0] + most + [26, 0, 0, 0]
    let place = BoxBytes.full(
      "iloc", 0, [0x44, 0, 0, 1] + [0, 2, 0, 0, 0, 1] + BoxBytes.number(8, 4) + most)
    let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet
    let text = Array("iTXtXML:com.adobe.xmp\0\0\0\0\0".utf8) + packet
    let long: [UInt8] = [0, 0, 0, 1] + Array("xml ".utf8) + [0, 0, 0, 1, 0, 0, 0, 0] + packet
    return [
      "jpeg": Array(jpeg[..<2]) + [0xFF, 0xE1, 0xFF, 0xFF] + xmp,
      "png": Array(png[..<33]) + most + text,
      "webp": Array(webp[..<12]) + Array("XMP ".utf8) + most + packet,
      "tiff": [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0] + tag + [0, 0, 0, 0] + packet,
      "jxl": BoxBytes.jxlHead + long,
      "heif": BoxBytes.items([(1, "hvc1"), (2, "Exif")], [place]),
    ]
  }

  @Test func metadataBlocksBeyondTheEndOfTheFileAreNotRead() throws {
    for (format, file) in try Self.files() {
      let metadata = Metadata(of: .bytes(file))
      #expect(metadata.xmp == nil && metadata.exif == nil, "\(format)")
    }
  }

  /// If a file has 3,000 picture lists (MPF) of a hundred pictures each, only the first list is
  /// read.
  @Test func onlyTheFirstOfManyPictureListsIsRead() {
    func word(_ number: Int) -> [UInt8] { BoxBytes.number(number, 4) }
    let entry = word(0) + word(1 << 16) + word(16) + word(0)
    var list = Array("MPF\0MM\0*".utf8) + word(8)
    list += [0, 1, 0xB0, 2, 0, 7] + word(1_600) + word(26) + word(0)
    for _ in 0..<100 { list += entry }
    let segment = [0xFF, 0xE2] + BoxBytes.number(list.count + 2, 2) + list
    var file: [UInt8] = [0xFF, 0xD8]
    for _ in 0..<3_000 { file += segment }
    #expect(Metadata(of: .bytes(file)).attachments == [.pictures])
  }
}
