import FileStructure
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// HEIC files describe their colours twice if code points exist for them: by a profile and by the
/// code points.
@Suite(.enabled(if: VipsRuntime.canEncodeHEVC)) struct HEICColourTests {
  private static func file(_ profile: String) throws -> [UInt8] {
    try Studio.develop(
      SyntheticPhoto.png(width: 64, height: 48), "[]",
      output: #""format": "heic", "profile": "\#(profile)""#)
  }

  @Test(arguments: [("srgb", 1, 13), ("display-p3", 12, 13), ("rec2020", 9, 14)])
  func colourSpacesOfDisplaysAreAlsoStatedByCodePoints(
    _ profile: String, _ primaries: Int, _ transfer: Int
  ) throws {
    let file = try Self.file(profile)
    let points = try #require(ColourTags(of: .bytes(file)).codePoints)
    #expect((points.primaries, points.transfer) == (primaries, transfer))
    #expect(points.matrix == (profile == "rec2020" ? 9 : 6))
    #expect(points.isFullRange)
    let image = try Image.load(from: Source(bytes: file))
    #expect(image.blob("icc-profile-data") != nil)
  }

  /// Some old systems do not show files with code points, so the file contains code points only if
  /// they describe its colour space, and not if they would mean "unspecified".
  @Test(arguments: ["adobe-rgb", "prophoto", "grey"])
  func spacesWithoutCodePointsAreStatedByTheProfileOnly(_ profile: String) throws {
    let file = try Self.file(profile)
    #expect(ColourTags(of: .bytes(file)).codePoints == nil)
    #expect(try Image.load(from: Source(bytes: file)).blob("icc-profile-data") != nil)
  }

  /// The profile and the code points describe the same colours, and the reader does not apply both.
  @Test(arguments: ["srgb", "display-p3", "rec2020", "adobe-rgb"])
  func aHEICRenditionIsReadWithTheColoursOfThePhoto(_ profile: String) throws {
    let photo = Samples.flat([200, 90, 40], 32, 32)
    let file = try Studio.develop(
      photo.file(), "[]",
      output: #""format": "heic", "quality": 95, "profile": "\#(profile)""#)
    let back = try Samples(file: Studio.develop(file, "[]"))[16, 16]
    #expect(zip(back, [200, 90, 40]).allSatisfy { abs($0 - $1) <= 3 }, "\(back)")
  }
}
