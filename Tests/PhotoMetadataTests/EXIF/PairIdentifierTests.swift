import FileStructure
import Foundation
import PhotoMetadata
import SystemPackage
import TestSupport
import Testing

/// Tests the identifier that joins the photo and the film of a Live Photo.
@Suite struct PairIdentifierTests {
  private static let old = "66ED47F2-E0C3-4709-8468-79070E46AF2C"

  @Test func namesDependOnTheTextsOnly() {
    let name = PairIdentifier.named(["a", "b"])
    #expect(name == PairIdentifier.named(["a", "b"]))
    #expect(name != PairIdentifier.named(["a", "c"]))
    let uuid = UUID(uuidString: name)
    #expect(uuid?.uuidString == name)
    #expect(Array(name)[14] == "8")
    #expect("89AB".contains(Array(name)[19]))
  }

  @Test(.enabled(if: ExifTool.isHere), arguments: [true, false])
  func theNoteKeepsItsOtherTags(_ isLittle: Bool) throws {
    let file = LivePhotoFile.photo(
      try SyntheticPhoto.jpeg(width: 60, height: 40), identifier: Self.old, isLittle: isLittle)
    #expect(try ExifTool.tags(of: file)["Apple:MediaGroupUUID"] == Self.old)
    var metadata = Metadata(of: .bytes(file))
    #expect(metadata.exif?.pairIdentifier == Self.old)
    let new = PairIdentifier.named(["x"])
    metadata.exif?.setPairIdentifier(new)
    #expect(metadata.exif?.pairIdentifier == new)
    var tags = try ExifTool.tags(of: metadata.embedded(in: file))
    #expect(tags["Apple:MediaGroupUUID"] == new)
    #expect(tags["Apple:LivePhotoVideoIndex"] == "4235300")
    metadata.exif?.setPairIdentifier(nil)
    #expect(metadata.exif?.pairIdentifier == nil)
    let bytes = try metadata.embedded(in: file)
    tags = try ExifTool.tags(of: bytes)
    #expect(tags["Apple:MediaGroupUUID"] == nil)
    #expect(tags["Apple:LivePhotoVideoIndex"] == "4235300")
    #expect(!bytes.contains(Array(new.utf8)))
  }

  /// FFmpeg writes the identifier into the user data of the film, Apple into its header.
  @Test(.enabled(if: FFmpeg.isHere)) func bothPlacesInAFilmAreRead() throws {
    let folder = try TemporaryFolder()
    let path = folder["film.mov"].string
    try FFmpeg.makeFilm(
      path,
      [
        "-c:v", "mpeg4", "-metadata", "com.apple.quicktime.content.identifier=\(Self.old)",
        "-metadata", "comment=x", "-movflags", "use_metadata_tags",
      ])
    let film = try folder.read("film.mov")
    #expect(PairIdentifier.inFilm(.bytes(film)) == Self.old)
    let place = try #require(PairIdentifier.place(inFilm: .bytes(film)))
    #expect(film[place].elementsEqual(Self.old.utf8))
    // As in Apple's films, the metadata are not in the user data; both boxes have equal heads.
    var moved = film
    let user = try #require(moved.firstRange(of: Array("udta".utf8)))
    let meta = try #require(moved[user.upperBound...].firstRange(of: Array("meta".utf8)))
    moved.removeSubrange((user.lowerBound - 4)..<(meta.lowerBound - 4))
    let head = try #require(moved.firstRange(of: Array("moov".utf8)))
    let length = moved[(head.lowerBound - 4)..<head.lowerBound].reduce(0) { $0 << 8 | Int($1) } - 8
    moved.replaceSubrange(
      (head.lowerBound - 4)..<head.lowerBound,
      with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) })
    #expect(PairIdentifier.inFilm(.bytes(moved)) == Self.old)
  }

  /// The lengths in a film are untrusted.
  @Test(.enabled(if: FFmpeg.isHere)) func damagedFilmsHaveNoIdentifier() throws {
    let folder = try TemporaryFolder()
    let path = folder["film.mov"].string
    try FFmpeg.makeFilm(
      path,
      [
        "-c:v", "mpeg4", "-metadata", "com.apple.quicktime.content.identifier=\(Self.old)",
        "-movflags", "use_metadata_tags",
      ])
    let film = try folder.read("film.mov")
    let start = try #require(film.firstRange(of: Array("udta".utf8))).lowerBound - 4
    for offset in start..<film.count {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var damaged = film
        damaged[offset] = value
        let place = PairIdentifier.place(inFilm: .bytes(damaged))
        #expect(place.map { $0.upperBound <= film.count } ?? true)
      }
    }
  }

  /// The note is untrusted: places outside it are not read or written.
  @Test func damagedNotesAreLeftAlone() throws {
    let file = LivePhotoFile.photo(
      try SyntheticPhoto.jpeg(width: 60, height: 40), identifier: Self.old)
    let start = try #require(file.firstRange(of: Array("Apple iOS\0".utf8))).lowerBound
    for offset in 12..<60 {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] {
        var damaged = file
        damaged[start + offset] = value
        var exif = Metadata(of: .bytes(damaged)).exif
        exif?.setPairIdentifier(nil)
        #expect(exif?.pairIdentifier == nil)
      }
    }
  }
}
