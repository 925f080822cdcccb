import FileStructure
import PhotoMetadata
import TestSupport
import Testing

@testable import PhotoRecipes

/// A metadata rule for one tag also applies to the tags that store the same fact under other names.
@Suite(.enabled(if: ExifTool.isHere)) struct SynonymsTests {
  private static let facts = RenditionFacts(
    width: 60, height: 40, isSRGB: true, keepsFrame: true, software: "phbatch 0.1.0",
    recipe: "org.example.test 1.0.0", original: "IMG_1.JPG")

  /// A photo with texts in EXIF and IPTC, without XMP.
  private static let withoutXMP = Result {
    try ExifTool.writing(
      [
        "-EXIF:Artist=Somebody Else", "-EXIF:Make=CAMERAMAKER", "-EXIF:Software=Firmware 9.9",
        "-EXIF:DateTimeOriginal=2020:01:02 03:04:05", "-EXIF:UserComment=USERCOMMENT",
        "-IPTC:Keywords=gamma ray", "-IPTC:City=Paris sur Seine", "-Comment=A JPEG comment",
      ], into: Specimen.plain("jpeg"), "jpg")
  }

  private static func dropping(_ rule: String) throws -> MetadataPolicy {
    var policy = MetadataPolicy.all
    policy.dropped = [try #require(MetadataPolicy.Rule(rule))]
    return policy
  }

  /// An audited rendition with all metadata, except the tags that a rule drops.
  private static func rendition(
    _ rule: String, _ format: String, of original: [UInt8]
  ) throws -> [UInt8] {
    let original = Metadata(of: .bytes(original))
    let curation = Curation(try dropping(rule), for: facts)
    let file = try curation.curated(original).embedded(in: Specimen.plain(format))
    try Audit(original, curation).check(.bytes(file))
    return file
  }

  static let coordinates = ["0x8825", "0x2", "0x4", "exif:GPSLatitude", "exif:*"]

  @Test(arguments: coordinates)
  func aRuleForOneCoordinateTagDropsAllCoordinates(_ rule: String) throws {
    let original = try Specimen.full.get()
    for format in Specimen.formats + ["gif"] {
      let tags = try ExifTool.tags(of: Self.rendition(rule, format, of: original))
      #expect(!tags.keys.contains { $0.contains("GPS") }, "\(format): \(tags.keys)")
      #expect(!tags.values.contains { $0.contains("Paris") }, "\(format): \(tags)")
      #expect(tags["XMP-dc:Title"] == "XMP title", "\(format)")
    }
  }

  @Test(arguments: coordinates + ["0x8769", "0x013b", "dc:subject", "exif:DateTimeOriginal"])
  func theAuditFindsADroppedFactUnderOtherTagNames(_ rule: String) throws {
    let original = Metadata(of: .bytes(try Specimen.full.get()))
    let all = try original.embedded(in: Specimen.plain("jpeg"))
    let audit = Audit(original, Curation(try Self.dropping(rule), for: Self.facts))
    #expect(throws: MetadataError.self) { try audit.check(.bytes(all)) }
  }

  @Test func aRuleForTheExifPointerAppliesToItsWholeDirectory() throws {
    let file = try Self.rendition("0x8769", "jpeg", of: Specimen.full.get())
    let tags = try ExifTool.tags(of: file)
    #expect(tags["ExifIFD:ISO"] == nil && tags["ExifIFD:DateTimeOriginal"] == nil)
    #expect(tags["IFD0:Make"] == "CAMERAMAKER" && tags["GPS:GPSAltitude"] == "35.5")
  }

  @Test(arguments: [
    ("dc:subject", ["gamma ray", "alpha"]),
    ("dc:*", ["Somebody Else", "gamma ray", "Ada Lovelace"]),
    ("dc:creator", ["Somebody Else", "Ada Lovelace"]),
    ("0x013b", ["Somebody Else", "Ada Lovelace"]),
    ("photoshop:City", ["Paris sur Seine"]), ("exif:*", ["USERCOMMENT", "2020:01:02"]),
    ("exif:DateTimeOriginal", ["2020:01:02"]), ("tiff:*", ["CAMERAMAKER", "Firmware 9.9"]),
    ("exif:UserComment", ["USERCOMMENT", "A JPEG comment"]),
    ("xmp:CreatorTool", ["Firmware 9.9"]), ("xmpMM:*", ["org.example.test", "xmp.did:0815"]),
  ])
  func textsOfADroppedTagAppearUnderNoOtherTagName(_ rule: String, _ texts: [String]) throws {
    for original in try [Specimen.full.get(), fileWithoutXMP()] {
      for format in ["jpeg", "tiff", "png", "webp", "gif"] {
        let tags = try ExifTool.tags(of: Self.rendition(rule, format, of: original))
        let found = tags.filter { tag in texts.contains { tag.value.contains($0) } }
        #expect(found.isEmpty, "\(format): \(found)")
      }
    }
  }

  private func fileWithoutXMP() throws -> [UInt8] { try Self.withoutXMP.get() }

  /// A tag kept by its number is written as XMP in formats without EXIF.
  @Test func tagsThatThePolicyKeepsByNumberAreKeptInAllFormats() throws {
    let original = Metadata(of: .bytes(try Self.withoutXMP.get()))
    var policy = MetadataPolicy.none
    policy.kept = [.tag(0x013B), .tag(0x9003)]
    let curation = Curation(policy, for: Self.facts)
    for format in ["jpeg", "gif"] {
      let file = try curation.curated(original).embedded(in: Specimen.plain(format))
      try Audit(original, curation).check(.bytes(file))
      let tags = try ExifTool.tags(of: file)
      #expect(tags.values.contains("Somebody Else"), "\(format): \(tags)")
    }
  }
}
