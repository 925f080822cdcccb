import FileStructure
import Notation
import TestSupport
import Testing

@testable import PhotoMetadata
@testable import PhotoRecipes

/// Rules and texts of a policy apply to the tags and vocabularies in which programs repeat a
/// fact.
@Suite(.enabled(if: ExifTool.isHere)) struct ProgramVocabularyTests {
  /// The word that the test writes into every tag that must be dropped or replaced.
  private static let word = "Quincewood"

  private static let facts = RenditionFacts(width: 60, height: 40, isSRGB: true, keepsFrame: true)

  /// Rules that each drop a fact, and all tags of the fact.
  static let repeated: [([String], [String])] = [
    (
      ["creator", "dc:creator", "tiff:Artist", "0x013b", "0x9c9d"],
      [
        "EXIF:Artist", "EXIF:XPAuthor", "IPTC:By-line", "XMP-dc:Creator", "XMP-tiff:Artist",
        "XMP-acdsee:Author", "XMP-plus:ImageCreatorName",
      ]
    ),
    (
      ["copyright", "dc:rights", "tiff:Copyright", "0x8298"],
      ["EXIF:Copyright", "IPTC:CopyrightNotice", "XMP-dc:Rights", "XMP-tiff:Copyright"]
    ),
    (
      ["description", "dc:description", "tiff:ImageDescription", "0x010e"],
      [
        "EXIF:ImageDescription", "EXIF:XPSubject", "IPTC:Caption-Abstract", "XMP-dc:Description",
        "XMP-tiff:ImageDescription", "XMP-acdsee:Notes",
      ]
    ),
    (
      ["title", "dc:title", "0x9c9b"],
      ["EXIF:XPTitle", "IPTC:ObjectName", "XMP-dc:Title", "XMP-acdsee:Caption"]
    ),
    (
      ["keywords", "dc:subject", "0x9c9e"],
      [
        "EXIF:XPKeywords", "IPTC:Keywords", "XMP-dc:Subject", "XMP-lr:HierarchicalSubject",
        "XMP-microsoft:LastKeywordXMP", "XMP-microsoft:LastKeywordIPTC", "XMP-digiKam:TagsList",
        "XMP-acdsee:Keywords", "XMP-acdsee:Categories", "XMP-mwg-kw:HierarchicalKeywords1",
        "XMP-mediapro:CatalogSets",
      ]
    ),
    (["serials"], ["EXIF:SerialNumber", "XMP-microsoft:CameraSerialNumber"]),
  ]

  private static func photo(_ tags: [String], _ value: String = word) throws -> [UInt8] {
    try ExifTool.writing(
      tags.map { "-\($0)=\(value)" } + ["-EXIF:Make=Box"], into: Specimen.plain("jpeg"), "jpg")
  }

  private static func dropping(_ rule: String) throws -> Curation {
    var policy = MetadataPolicy.all
    policy.dropped = [try #require(MetadataPolicy.Rule(rule))]
    return Curation(policy, for: facts)
  }

  /// The tags of an audited rendition.
  private static func tags(_ photo: [UInt8], _ curation: Curation) throws -> [String: String] {
    let original = Metadata(of: .bytes(photo))
    let file = try curation.curated(original).embedded(in: Specimen.plain("jpeg"))
    try Audit(original, curation).check(.bytes(file))
    return try ExifTool.tags(of: file)
  }

  @Test(arguments: repeated) func aRuleForOneNameDropsTheFactEverywhere(
    _ rules: [String], _ tags: [String]
  ) throws {
    let photo = try Self.photo(tags)
    let written = try ExifTool.tags(of: photo).filter { $0.value.contains(Self.word) }
    try #require(written.count == tags.count, "\(written)")
    for rule in rules {
      let kept = try Self.tags(photo, Self.dropping(rule))
      let found = kept.filter { $0.value.contains(Self.word) }
      #expect(found.isEmpty && kept["IFD0:Make"] == "Box", "\(rule): \(found)")
    }
  }

  @Test(arguments: repeated) func theAuditFindsADroppedFactInEveryVocabulary(
    _ rules: [String], _ tags: [String]
  ) throws {
    for tag in tags {
      let leak = Metadata(of: .bytes(try Self.photo([tag])))
      let file = try leak.embedded(in: Specimen.plain("jpeg"))
      for rule in rules {
        let audit = Audit(Metadata(), try Self.dropping(rule))
        #expect(throws: MetadataError.self, "\(rule): \(tag)") { try audit.check(.bytes(file)) }
      }
    }
  }

  static let ratings = [
    "EXIF:Rating", "EXIF:RatingPercent", "XMP-xmp:Rating", "XMP-microsoft:RatingPercent",
    "XMP-acdsee:Rating",
  ]

  @Test(arguments: ["rating", "xmp:Rating", "0x4746"]) func aRuleForTheRatingDropsItEverywhere(
    _ rule: String
  ) throws {
    let photo = try Self.photo(Self.ratings, "3")
    let written = try ExifTool.tags(of: photo).keys.filter { $0.contains("Rating") }
    try #require(written.count == Self.ratings.count, "\(written)")
    let kept = try Self.tags(photo, Self.dropping(rule)).keys.filter { $0.contains("Rating") }
    #expect(kept.isEmpty, "\(kept)")
  }

  /// A rule for a prefix drops the tags that mean the same, but no properties with other prefixes.
  @Test func aRuleForAPrefixDropsNoOtherProperties() throws {
    let kept = ["XMP-dc:Rights", "XMP-dc:Creator", "IPTC:CopyrightNotice", "IPTC:By-line"]
    let dropped = ["XMP-tiff:Copyright", "IFD0:Copyright", "XMP-tiff:Artist"]
    let tags = try Self.tags(Self.photo(kept + dropped), Self.dropping("tiff:*"))
    #expect(kept.allSatisfy { tags[$0] == Self.word }, "\(tags)")
    #expect(dropped.allSatisfy { tags[$0] == nil }, "\(tags)")
  }

  /// A policy can drop a program's copy of a fact and keep the fact.
  @Test func aRuleForAProgramsPropertyAppliesToItAlone() throws {
    let photo = try Self.photo(["XMP-dc:Subject", "XMP-lr:HierarchicalSubject"])
    let tags = try Self.tags(photo, Self.dropping("lr:hierarchicalSubject"))
    #expect(tags["XMP-dc:Subject"] == Self.word && tags["XMP-lr:HierarchicalSubject"] == nil)
  }

  @Test(arguments: [MetadataPolicy.Preset.web, .all, .none]) func aTextOfThePolicyReplacesAllCopies(
    _ preset: MetadataPolicy.Preset
  ) throws {
    let fields: [MetadataField] = [.creator, .copyright, .description, .title, .keywords]
    let names = [
      "XMP-dc:Creator", "XMP-dc:Rights", "XMP-dc:Description", "XMP-dc:Title", "XMP-dc:Subject",
    ]
    for ((field, tags), name) in zip(zip(fields, Self.repeated.map { $0.1 }), names) {
      var policy = MetadataPolicy(preset)
      policy.texts = [field: [try TextTemplate("New words")]]
      let found = try Self.tags(Self.photo(tags), Curation(policy, for: Self.facts))
      #expect(found[name] == "New words", "\(field)")
      let old = found.filter { $0.value.contains(Self.word) }
      #expect(old.isEmpty, "\(field): \(old)")
    }
    var policy = MetadataPolicy(preset)
    policy.texts = [.rating: [try TextTemplate("5")]]
    let found = try Self.tags(Self.photo(Self.ratings, "3"), Curation(policy, for: Self.facts))
    #expect(found.filter { $0.key.contains("Rating") } == ["XMP-xmp:Rating": "5"])
  }

  static let namespaces = [
    "http://ns.microsoft.com/photo/1.0", "http://ns.microsoft.com/photo/1.0/",
  ]

  /// Both namespaces of Microsoft's vocabulary have the same prefix in rules.
  @Test(arguments: namespaces) func bothNamespacesOfMicrosoftPhotoAreKnown(
    _ namespace: String
  ) throws {
    for name in ["LastKeywordXMP", "CameraSerialNumber", "Rating", "DateAcquired", "LensModel"] {
      let known = XMP.kind(of: MarkupName(namespace, name))
      #expect(known != .group(.other), "\(name)")
      #expect(MarkupName(namespace, name).prefixed == "MicrosoftPhoto:\(name)")
    }
  }

  @Test func aPacketKeepsPropertiesOfBothNamespaces() throws {
    var xmp = XMP()
    for (namespace, text) in zip(Self.namespaces, ["first", "second"]) {
      xmp.set(MarkupName(namespace, "LensModel"), text: text)
    }
    #expect(try XMP(xmp.packet) == xmp)
  }
}
