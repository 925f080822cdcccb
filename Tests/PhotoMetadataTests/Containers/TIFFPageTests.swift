import FileStructure
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoMetadata

/// The metadata of the pages of a TIFF file.
@Suite struct TIFFPageTests {
  private static func number(_ value: Int, _ width: Int) -> [UInt8] {
    ByteOrder.little.bytes(value, width)
  }

  /// A file without pixels; each page has an artist, a number, and the colours of its picture.
  private static func file(_ artists: [String]) -> [UInt8] {
    var file: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    for (page, artist) in artists.enumerated() {
      let start = file.count
      let next = page + 1 == artists.count ? 0 : start + 2 + 4 * 12 + 4 + 16
      func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
        Self.number(tag, 2) + Self.number(type, 2) + Self.number(count, 4) + value
      }
      let place = start + 2 + 4 * 12 + 4
      file += Self.number(4, 2)
      file += entry(0x0129, 3, 2, Self.number(page, 2) + Self.number(artists.count, 2))
      file += entry(0x013B, 2, 4, Array(artist.utf8.prefix(3)) + [0])
      file += entry(0x013E, 5, 2, Self.number(place, 4))
      file += entry(0x013F, 5, 2, Self.number(place, 4))
      file += Self.number(next, 4) + [UInt8](repeating: 1, count: 16)
    }
    return file
  }

  @Test(arguments: [(1, "Ada"), (2, "Bea"), (3, "Cee"), (9, "Cee")])
  func eachPageHasItsOwnMetadata(_ page: Int, _ artist: String) throws {
    let metadata = Metadata(of: .bytes(Self.file(["Ada", "Bea", "Cee"])), page: page)
    let exif = try #require(metadata.exif)
    #expect(exif.text(.artist) == artist)
    // Page numbers and colours of the original are not those of a rendition.
    #expect(exif[.primary].map(\.tag) == [0x013B])
  }

  @Test func pagesInACircleHaveAnEnd() {
    var file = Self.file(["Ada"])
    file.replaceSubrange(58..<62, with: Self.number(8, 4))
    #expect(Metadata(of: .bytes(file), page: 100).exif?.text(.artist) == "Ada")
  }
}
