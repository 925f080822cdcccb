import FileStructure
import TestSupport
import Testing

@testable import PhotoMetadata
@testable import PhotoRecipes

/// The camera maker's block is dropped together with the facts that it repeats.
@Suite struct MakerNoteRuleTests {
  private static let facts = RenditionFacts(width: 60, height: 40, isSRGB: true, keepsFrame: true)

  /// Metadata with a maker's block that contains a serial number.
  private static let original: Metadata = {
    var exif = EXIF()
    exif.set(
      EXIF.Entry(
        tag: EXIFTag.makerNote.number, type: .undefined,
        bytes: Array("Maker\0body 6438342, lens 0230001122".utf8)),
      in: EXIFTag.makerNote.directory)
    var metadata = Metadata()
    metadata.exif = exif
    return metadata
  }()

  private static func curation(
    dropping dropped: [String], keeping kept: [String] = []
  ) throws -> Curation {
    var policy = MetadataPolicy.all
    policy.dropped = try dropped.map { try #require(MetadataPolicy.Rule($0)) }
    policy.kept = try kept.map { try #require(MetadataPolicy.Rule($0)) }
    return Curation(policy, for: facts)
  }

  @Test(arguments: [
    "serials", "lens", "exposure", "date", "camera", "software", "rating", "people", "location",
    "gps", "0xa431", "0x0110", "0x8827", "0x0006", "exifEX:BodySerialNumber", "aux:LensID",
    "exif:DateTimeOriginal", "Iptc4xmpExt:PersonInImage", "aux:*", "exifEX:*", "exif:*", "tiff:*",
  ])
  func aRuleForAFactOfTheCameraDropsTheMakerNote(_ rule: String) throws {
    let curation = try Self.curation(dropping: [rule])
    #expect(curation.curated(Self.original).exif?[.makerNote] == nil)
    let whole = try Self.original.embedded(in: Specimen.plain("jpeg"))
    #expect(throws: MetadataError.self) {
      try Audit(Self.original, curation).check(.bytes(whole))
    }
    // A rule that names the block keeps it.
    if rule != "exif:*" {
      for name in ["makerNote", "0x927c", "exif:MakerNote"] {
        let asked = try Self.curation(dropping: [rule], keeping: [name])
        #expect(asked.curated(Self.original).exif?[.makerNote] != nil, "\(name)")
      }
    }
  }

  @Test(arguments: [
    "title", "keywords", "copyright", "comment", "history", "crs:*", "dc:subject", "dc:*",
    "photoshop:*", "0x9286", "0x8298", "own:serial",
  ])
  func otherRulesKeepTheMakerNote(_ rule: String) throws {
    let curated = try Self.curation(dropping: [rule]).curated(Self.original)
    #expect(curated.exif?[.makerNote] == Self.original.exif?[.makerNote])
  }
}
