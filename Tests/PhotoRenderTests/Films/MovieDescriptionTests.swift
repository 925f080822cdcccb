import FileStructure
import Foundation
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoRender

/// The boxes that describe the samples of tracks in rebuilt films.
struct MovieDescriptionTests {
  private static func word(_ number: Int) -> [UInt8] { ByteOrder.big.bytes(number, 4) }

  /// The tables of a track without samples, with descriptions of its codec.
  private static func tables(_ entries: [UInt8]...) throws -> MovieTables {
    let content =
      Box.bytes("stsd", word(0) + word(entries.count) + entries.joined())
      + Box.bytes("stsz", word(0) + word(0) + word(0))
    let table = Box.bytes("stbl", content)
    let file = ByteSource.bytes(table)
    return try MovieTables(file, #require(Box.all(in: file, 0..<file.count).first), timed: false)
  }

  private static func picture(_ boxes: [UInt8]) -> [UInt8] {
    Box.bytes("avc1", Array(repeating: 7, count: 78) + boxes)
  }

  private static let codec = Box.bytes("avcC", [1, 2, 3])
  private static let visible = Box.bytes("clap", (0..<32).map { UInt8($0) })
  private static let pixels = Box.bytes("pasp", word(4) + word(3))

  @Test func aNewPictureGetsTheVisiblePartAndTheShapeOfPixels() throws {
    let old = try Self.tables(Self.picture(Self.codec + Self.visible + Self.pixels))
    let new = try Self.tables(Self.picture(Self.codec))
    #expect(new.description(framedAs: old) == old.description)
  }

  @Test func boxesOfTheNewPictureStay() throws {
    let old = try Self.tables(Self.picture(Self.visible + Self.pixels))
    let own = Box.bytes("pasp", Self.word(1) + Self.word(1))
    let new = try Self.tables(Self.picture(own + [0, 0, 0, 0]))
    let wanted = try Self.tables(Self.picture(own + Self.visible + [0, 0, 0, 0]))
    #expect(new.description(framedAs: old) == wanted.description)
  }

  /// Boxes of a wrong length, and descriptions that end early, are ignored.
  @Test func damagedDescriptionsChangeNothing() throws {
    let new = try Self.tables(Self.picture(Self.codec))
    let cut = Box.bytes("avc1", Array(repeating: 7, count: 20))
    for entry in [Self.picture(Box.bytes("clap", [1])), Self.picture([0, 0, 0, 99]), cut, []] {
      let old = try Self.tables(entry)
      #expect(new.description(framedAs: old) == new.description)
      #expect(old.description(framedAs: new) == old.description)
      #expect(old.descriptionWithoutStillPlace == old.description)
    }
    let name = "com.apple.quicktime.live-photo-still-image-transform"
    let other = try Self.tables(Box.bytes("mebx", Array(name.utf8)), [1, 2, 3])
    _ = other.descriptionWithoutStillPlace
  }

  private static func film(_ name: String) throws -> MovieSource {
    let folder = try #require(Corpus.folder) + "/live/edit/"
    return try MovieSource(
      .bytes(Array(Data(contentsOf: URL(filePath: folder + name)))), picture: 1)
  }

  private static func still(_ film: MovieSource) throws -> MovieTables {
    let key = Array("com.apple.quicktime.still-image-time".utf8)
    return try #require(film.tracks.first { $0.tables.description.contains(key) }).tables
  }

  /// The film that Photos rendered has the same descriptions.
  @Test(.enabled(if: Corpus.isHere)) func descriptionsAreThoseOfPhotos() throws {
    let (film, edited) = (try Self.film("IMG_5492.mov"), try Self.film("IMG_5492_edited.mov"))
    let old = try Self.still(film)
    #expect(try old.descriptionWithoutStillPlace == Self.still(edited).description)
    #expect(try Self.still(edited).descriptionWithoutStillPlace == Self.still(edited).description)
    let picture = film.tracks[film.picture].tables
    let new = try Self.tables(Box.bytes("hvc1", Array(picture.description[24..<102])))
    let framed = new.description(framedAs: picture)
    let visible = try #require(framed.firstRange(of: Array("clap".utf8)))
    #expect(framed.count == new.description.count + 40)
    #expect(
      edited.tracks[edited.picture].tables.description.contains(
        Array(framed[(visible.lowerBound - 4)..<(visible.lowerBound + 36)])))
  }
}
