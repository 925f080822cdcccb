import FileStructure
import PhotoMetadata
import TestSupport
import Testing
import Vips

/// Distinguishes truncated JPEG XL files from files with bytes after the picture.
@Suite struct JXLEndTests {
  private static let stream: [UInt8] = [0xFF, 0x0A] + [UInt8](repeating: 7, count: 30)
  private static let whole = BoxBytes.jxlHead + BoxBytes.box("jxlc", stream)
  private static let first = BoxBytes.box("jxlp", [0, 0, 0, 0] + stream)
  private static let last = BoxBytes.box("jxlp", [0x80, 0, 0, 1] + stream)

  /// Bytes after the picture do not make a file truncated, whether they are less than a box's
  /// header, a truncated box, or a complete box.
  @Test(arguments: [
    [0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 99] + Array("Exif".utf8), BoxBytes.box("free", [1]),
  ])
  func aJXLFileWithBytesAfterThePictureIsNotTruncated(_ tail: [UInt8]) throws {
    #expect(FileEnd.missing(in: .bytes(Self.whole + tail)) == nil)
    let parts = BoxBytes.jxlHead + Self.first + Self.last
    #expect(FileEnd.missing(in: .bytes(parts + tail)) == nil)
    // Embedding accepts the same files, and keeps only complete boxes after the picture.
    let written = try Metadata().embedded(in: Self.whole + tail)
    let isBox = tail.count == 9
    #expect(written == Self.whole + (isBox ? tail : []))
  }

  @Test func aJXLFileWithoutItsLastPartIsReportedAsTruncated() {
    let parts = BoxBytes.jxlHead + Self.first + Self.last
    for count in 1...Self.last.count {
      let file = Array(parts.dropLast(count))
      #expect(FileEnd.missing(in: .bytes(file)) != nil, "\(count)")
      #expect(throws: MetadataError.self) { try Metadata().embedded(in: file) }
    }
    #expect(FileEnd.missing(in: .bytes(Array(Self.whole.dropLast()))) != nil)
  }
}

/// Distinguishes truncated JPEG files from files with bytes after the picture.
@Suite struct JPEGEndTests {
  /// A photo, and the same photo in several scans and with restart markers.
  private static func photos() throws -> [[UInt8]] {
    let image = try SyntheticPhoto.image(width: 96, height: 64)
    return try [
      Specimen.plain("jpeg"),
      SyntheticPhoto.bytes(image, "jpegsave_target", ["interlace": .flag(true)]),
      SyntheticPhoto.bytes(image, "jpegsave_target", ["restart-interval": .integer(2)]),
    ]
  }

  @Test func aJPEGWithBytesAfterTheEndMarkerIsNotTruncated() throws {
    for photo in try Self.photos() {
      for tail in [
        [], [0], [UInt8](repeating: 0, count: 600_000), photo, [0xFF, 0xD8, 0xFF, 0xFF],
      ] {
        #expect(FileEnd.missing(in: .bytes(photo + tail)) == nil, "\(tail.count)")
      }
    }
  }

  @Test func aJPEGWithoutAnEndMarkerIsTruncated() throws {
    for photo in try Self.photos() {
      let half = Array(photo.prefix(photo.count * 2 / 3))
      for cut in [half, half + [UInt8](repeating: 0, count: 600_000), Array(photo.dropLast())] {
        #expect(FileEnd.missing(in: .bytes(cut)) != nil, "\(cut.count) of \(photo.count)")
      }
    }
  }

  /// The end marker of a thumbnail in a segment is not taken for the end marker of the photo.
  @Test func theEndMarkerOfAThumbnailIsNotTheEndOfThePhoto() throws {
    let photo = try Specimen.plain("jpeg")
    let thumbnail = photo + [0, 0]
    let segment = [0xFF, 0xE5] + BoxBytes.number(thumbnail.count + 2, 2) + thumbnail
    let file = Array(photo.prefix(2)) + segment + photo.dropFirst(2)
    #expect(FileEnd.missing(in: .bytes(file + [0])) == nil)
    #expect(FileEnd.missing(in: .bytes(Array(file.dropLast(40)))) != nil)
  }
}
