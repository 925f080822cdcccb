import FileStructure
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing

/// The contact data of a licensor follow the group `contact`; the name and the URL follow
/// `copyright`.
@Suite(.enabled(if: ExifTool.isHere)) struct LicensorTests {
  /// A word in every field of the licensor that belongs to the contact data.
  private static let word = "Quincewood"

  private static let photo = Result {
    let fields =
      ["StreetAddress", "ExtendedAddress", "City", "Region", "PostalCode", "Country"]
      + ["Telephone1", "Telephone2", "Email"]
    return try ExifTool.writing(
      [
        "-XMP-plus:Licensor=[{LicensorName=Ada Agency,LicensorURL=https://example.org/buy,"
          + "LicensorTelephoneType1=work,LicensorTelephoneType2=cell,"
          + fields.map { "Licensor\($0)=\(word) \($0)" }.joined(separator: ",") + "}]"
      ], into: Specimen.plain("jpeg"), "jpg")
  }

  private static func tags(_ policy: MetadataPolicy) throws -> [String: String] {
    let original = Metadata(of: .bytes(try photo.get()))
    let facts = RenditionFacts(width: 60, height: 40, isSRGB: true)
    let curation = Curation(policy, for: facts)
    let file = try curation.curated(original).embedded(in: Specimen.plain("jpeg"))
    try Audit(original, curation).check(.bytes(file))
    return try ExifTool.tags(of: file)
  }

  static let withoutContact: MetadataPolicy = {
    var policy = MetadataPolicy.all
    policy.dropped = [.group(.contact)]
    return policy
  }()

  @Test(arguments: [MetadataPolicy.web, withoutContact])
  func onlyTheNameAndTheURLOfTheLicensorAreKeptWithoutContactData(
    _ policy: MetadataPolicy
  ) throws {
    let tags = try Self.tags(policy).filter { $0.key.contains("Licensor") }
    #expect(
      tags == [
        "XMP-plus:LicensorName": "Ada Agency", "XMP-plus:LicensorURL": "https://example.org/buy",
      ])
  }

  @Test func thePolicyAllKeepsTheContactDataOfTheLicensor() throws {
    let tags = try Self.tags(.all).filter { $0.value.contains(Self.word) }
    #expect(tags.count == 9, "\(tags)")
  }

  @Test func theAuditFindsTheContactDataOfTheLicensor() throws {
    let original = Metadata(of: .bytes(try Self.photo.get()))
    let leak = try original.embedded(in: Specimen.plain("jpeg"))
    let facts = RenditionFacts(width: 60, height: 40, isSRGB: true)
    let audit = Audit(Metadata(), Curation(.web, for: facts))
    #expect(throws: MetadataError.self) { try audit.check(.bytes(leak)) }
  }
}
