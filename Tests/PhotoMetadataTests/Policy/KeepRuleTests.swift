import FileStructure
import TestSupport
import Testing

@testable import PhotoMetadata
@testable import PhotoRecipes

/// A rule that keeps a fact by one of its names keeps it in EXIF, XMP and IPTC.
@Suite(.enabled(if: ExifTool.isHere)) struct KeepRuleTests {
  private static let word = "Quincewood"

  private static func rendition(
    of tags: [String], keeping rules: [String], _ format: String = "jpeg"
  ) throws -> [String: String] {
    let photo = try ExifTool.writing(
      tags.map { "-\($0)=\(word)" }, into: Specimen.plain("jpeg"), "jpg")
    let original = Metadata(of: .bytes(photo))
    var policy = MetadataPolicy.none
    policy.kept = try rules.map { try #require(MetadataPolicy.Rule($0)) }
    let curation = Curation(policy, for: RenditionFacts(width: 60, height: 40, isSRGB: true))
    let file = try curation.curated(original).embedded(in: Specimen.plain(format))
    try Audit(original, curation).check(.bytes(file))
    return try ExifTool.tags(of: file).filter { $0.value.contains(word) }
  }

  private static let creators = [
    "IFD0:Artist", "IFD0:XPAuthor", "IPTC:By-line", "XMP-dc:Creator", "XMP-tiff:Artist",
  ]

  @Test(arguments: ["dc:creator", "tiff:Artist", "0x013b", "0x9c9d"])
  func theCreatorIsKeptByEachOfItsNames(_ rule: String) throws {
    for tag in Self.creators {
      #expect(try Self.rendition(of: [tag], keeping: [rule]).keys.sorted() == [tag], "\(rule)")
    }
    let all = try Self.rendition(of: Self.creators, keeping: [rule], "gif")
    #expect(all.keys.sorted() == ["XMP-dc:Creator", "XMP-tiff:Artist"])
  }

  @Test func otherFactsAreNotKept() throws {
    let tags = Self.creators + ["IPTC:Headline", "XMP-lr:HierarchicalSubject", "XMP-dc:Subject"]
    let kept = try Self.rendition(of: tags, keeping: ["dc:creator"])
    #expect(kept.keys.sorted() == Self.creators.sorted())
    // The keywords of a program can say more than those of Dublin Core.
    #expect(
      try Self.rendition(of: tags, keeping: ["dc:subject"]).keys.sorted() == ["XMP-dc:Subject"])
  }

  @Test func aRuleForAPrefixKeepsIPTC() throws {
    let kept = try Self.rendition(of: ["IPTC:City", "IPTC:By-line"], keeping: ["photoshop:*"])
    #expect(kept.keys.sorted() == ["IPTC:City"])
  }
}
