import FileStructure
import Notation
import PhotoRecipes
import Testing

@testable import PhotoMetadata

/// Licences and reservations of rights belong to the copyright.
@Suite struct RightsTests {
  private static let names = [
    "cc:license", "cc:attributionName", "cc:attributionURL", "cc:morePermissions",
    "plus:CopyrightStatus", "plus:OtherConstraints", "plus:DataMining",
    "plus:TermsAndConditionsURL", "Iptc4xmpExt:EmbdEncRightsExpr",
    "Iptc4xmpExt:LinkedEncRightsExpr", "xmpRights:UsageTerms",
  ]

  @Test func thePolicyWebKeepsThemAndARuleForTheCopyrightDropsThem() throws {
    var xmp = XMP()
    for name in Self.names { xmp.set(try #require(MarkupName(prefixed: name)), text: "Ask first") }
    var original = Metadata()
    original.xmp = xmp
    var dropping = MetadataPolicy.all
    dropping.dropped = [.group(.copyright)]
    for (policy, kept) in [(MetadataPolicy.web, xmp), (dropping, nil)] {
      let curation = Curation(policy, for: RenditionFacts(width: 60, height: 40, isSRGB: true))
      let file = try curation.curated(original).embedded(in: Specimen.plain("jpeg"))
      try Audit(original, curation).check(.bytes(file))
      #expect(Metadata(of: .bytes(file)).xmp == kept)
    }
  }
}
