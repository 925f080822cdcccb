import PhotoMetadata
import TestSupport
import Testing
import Vips

/// Where a JPEG file may end.
@Suite struct JPEGEndTests {
  /// A photo, and the same in several scans.
  private static func photos() throws -> [[UInt8]] {
    let image = try SyntheticPhoto.image(width: 96, height: 64)
    return try [
      Specimen.plain("jpeg"),
      SyntheticPhoto.bytes(image, "jpegsave_target", ["interlace": .flag(true)]),
      SyntheticPhoto.bytes(image, "jpegsave_target", ["restart-interval": .integer(2)]),
    ]
  }

  @Test func whatFollowsTheEndIsNotMissing() throws {
    for photo in try Self.photos() {
      for tail in [
        [], [0], [UInt8](repeating: 0, count: 600_000), photo, [0xFF, 0xD8, 0xFF, 0xFF],
      ] {
        #expect(FileEnd.missing(in: .bytes(photo + tail)) == nil, "\(tail.count)")
      }
    }
  }

  @Test func aPhotoWithoutItsEndIsCutOff() throws {
    for photo in try Self.photos() {
      let half = Array(photo.prefix(photo.count * 2 / 3))
      for cut in [half, half + [UInt8](repeating: 0, count: 600_000), Array(photo.dropLast())] {
        #expect(FileEnd.missing(in: .bytes(cut)) != nil, "\(cut.count) of \(photo.count)")
      }
    }
  }

  /// The end of a picture in a segment is not that of the photo.
  @Test func theEndOfAThumbnailIsNotThatOfThePhoto() throws {
    let photo = try Specimen.plain("jpeg")
    let thumbnail = photo + [0, 0]
    let segment = [0xFF, 0xE5] + BoxBytes.number(thumbnail.count + 2, 2) + thumbnail
    let file = Array(photo.prefix(2)) + segment + photo.dropFirst(2)
    #expect(FileEnd.missing(in: .bytes(file + [0])) == nil)
    #expect(FileEnd.missing(in: .bytes(Array(file.dropLast(40)))) != nil)
  }
}
