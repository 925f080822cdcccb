import FileStructure
import PhotoMetadata
import TestSupport
import Testing

/// Removes from the MakerNote the identifier that links a photo to the film of its Live Photo.
@Suite struct MakerNotePairTests {
  private static let old = "66ED47F2-E0C3-4709-8468-79070E46AF2C"

  @Test(.enabled(if: ExifTool.isHere), arguments: [true, false])
  func removingTheLivePhotoIdentifierKeepsTheOtherTagsOfTheNote(_ isLittle: Bool) throws {
    let file = LivePhotoFile.photo(
      try SyntheticPhoto.jpeg(width: 60, height: 40), identifier: Self.old, isLittle: isLittle)
    #expect(try ExifTool.tags(of: file)["Apple:MediaGroupUUID"] == Self.old)
    var metadata = Metadata(of: .bytes(file))
    #expect(metadata.exif?.pairIdentifier == Self.old)
    metadata.exif?.removePairIdentifier()
    #expect(metadata.exif?.pairIdentifier == nil)
    let bytes = try metadata.embedded(in: file)
    let tags = try ExifTool.tags(of: bytes)
    #expect(tags["Apple:MediaGroupUUID"] == nil)
    #expect(tags["Apple:LivePhotoVideoIndex"] == "4235300")
    #expect(!bytes.contains(Array(Self.old.utf8)))
  }

  /// A MakerNote is untrusted: offsets that point outside of it are neither read nor written.
  @Test func aDamagedMakerNoteCausesNoCrashWhenTheIdentifierIsRemoved() throws {
    let file = LivePhotoFile.photo(
      try SyntheticPhoto.jpeg(width: 60, height: 40), identifier: Self.old)
    let start = try #require(file.firstRange(of: Array("Apple iOS\0".utf8))).lowerBound
    for offset in 12..<60 {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] {
        var damaged = file
        damaged[start + offset] = value
        var exif = Metadata(of: .bytes(damaged)).exif
        exif?.removePairIdentifier()
        #expect(exif?.pairIdentifier == nil)
      }
    }
  }
}
