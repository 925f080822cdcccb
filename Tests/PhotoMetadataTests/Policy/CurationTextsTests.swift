import FileStructure
import PhotoRecipes
import Testing

@testable import PhotoMetadata

/// The texts that a policy sets.
@Suite struct CurationTextsTests {
  private static let facts = RenditionFacts(width: 60, height: 40, isSRGB: true)

  /// A photo with two keywords and two creators in XMP, or in IPTC.
  private static func photo(inXMP: Bool) -> Metadata {
    var photo = Metadata()
    photo.iptc = IPTC()
    if inXMP {
      photo.iptc?.set(.keyword, ["k1"])
      photo.xmp = XMP()
      photo.xmp?.set(.dc("subject"), "Bag", ["k1", "k2, too"])
      photo.xmp?.set(.dc("creator"), "Seq", ["Ada", "Grace"])
    } else {
      photo.iptc?.set(.keyword, ["k1", "k2, too"])
      photo.iptc?.set(.creator, ["Ada", "Grace"])
    }
    return photo
  }

  /// The metadata of an audited rendition for which a policy sets a field.
  private static func rendition(
    _ photo: Metadata, _ preset: MetadataPolicy.Preset, _ field: MetadataField, _ texts: [String]
  ) throws -> Metadata {
    var policy = MetadataPolicy(preset)
    policy.texts[field] = try texts.map { try TextTemplate($0) }
    let curation = Curation(policy, for: facts, values: PhotoDetails(photo).texts)
    let file = try curation.curated(photo).embedded(in: Specimen.plain("jpeg"))
    try Audit(photo, curation).check(.bytes(file))
    return Metadata(of: .bytes(file))
  }

  @Test(
    arguments: [true, false],
    [
      (["{keywords}", "new"], ["k1", "k2, too", "new"]),
      (["k1", "{keywords}", "k1"], ["k1", "k2, too"]), (["{keywords}"], ["k1", "k2, too"]),
      (["all: {keywords}"], ["all: k1, k2, too"]),
      (["{creator}", "new"], ["Ada", "Grace", "new"]),
      (["{camera}", "new"], ["new"]), (["{{keywords}}"], ["{keywords}"]),
    ])
  func aPlaceholderOfAListStandsForItsItems(
    _ inXMP: Bool, _ example: (texts: [String], keywords: [String])
  ) throws {
    for preset in [MetadataPolicy.Preset.web, .all] {
      let found = try Self.rendition(
        Self.photo(inXMP: inXMP), preset, .keywords, example.texts)
      #expect(found.xmp?.texts(.dc("subject")) == example.keywords, "\(preset)")
      if preset == .all { #expect(found.iptc?.texts(.keyword) == example.keywords) }
    }
  }

  @Test(arguments: [true, false], ["{creator}", "{artist}"]) func severalCreatorsStaySeparate(
    _ inXMP: Bool, _ text: String
  ) throws {
    let found = try Self.rendition(Self.photo(inXMP: inXMP), .all, .creator, [text])
    #expect(found.xmp?.texts(.dc("creator")) == ["Ada", "Grace"])
    #expect(found.iptc?.texts(.creator) == ["Ada", "Grace"])
    #expect(found.exif?.text(.artist) == "Ada; Grace")
  }

  /// A photo with other keywords in XMP, IPTC and the tag of Windows.
  private static let mixed: Metadata = {
    var photo = CurationTextsTests.photo(inXMP: true)
    let long = String(repeating: "long", count: 20)
    photo.xmp?.set(.dc("subject"), "Bag", ["k1", long])
    photo.iptc?.set(.keyword, ["k3", "k1", long])
    photo.exif = EXIF()
    func set(_ tag: EXIFTag, _ text: String) {
      let bytes = (text + "\0").utf16.flatMap { ByteOrder.little.bytes(Int($0), 2) }
      photo.exif?.set(.init(tag: tag.number, type: .byte, bytes: bytes), in: tag.directory)
    }
    set(.windowsKeywords, "k4; k3")
    set(.windowsTitle, "Hafen")
    return photo
  }()

  @Test func keywordsOfAllBlocksStay() throws {
    let found = try Self.rendition(Self.mixed, .all, .keywords, ["{keywords}", "new"])
    let long = String(repeating: "long", count: 20)
    #expect(found.xmp?.texts(.dc("subject")) == ["k1", long, "k3", "k4", "new"])
    #expect(found.exif?.windowsText(.windowsKeywords) == nil)
    #expect(PhotoDetails(Self.mixed).keywords == ["k1", long, "k3", "k4"])
  }

  @Test func textsOfWindowsAreTextsOfThePhoto() throws {
    var photo = Self.mixed
    photo.xmp = nil
    photo.iptc = nil
    let bytes = "Ada;Grace".utf16.flatMap { ByteOrder.little.bytes(Int($0), 2) }
    photo.exif?.set(
      .init(tag: EXIFTag.windowsAuthor.number, type: .byte, bytes: bytes), in: .primary)
    let details = PhotoDetails(photo)
    #expect(details.title == "Hafen" && details.creator == "Ada; Grace")
    #expect(details.keywords == ["k4", "k3"])
    let found = try Self.rendition(photo, .all, .creator, ["{creator}"])
    #expect(found.xmp?.texts(.dc("creator")) == ["Ada", "Grace"])
  }

  /// A property of a file beside the photo that has no text in `set`.
  @Test func aDescriptionBesideThePhotoReplacesTheFieldOfIPTC() throws {
    var photo = Metadata()
    photo.iptc = IPTC([0x1C, 2, 85, 0, 3] + "Old".utf8 + [0x1C, 2, 122, 0, 3] + "Eva".utf8)
    var beside = XMP()
    beside.set(.photoshop("AuthorsPosition"), text: "New")
    photo.add(describing: beside)
    #expect(photo.iptc?.texts(85) == [] && photo.iptc?.texts(122) == ["Eva"])
    #expect(photo.xmp?.text(.photoshop("AuthorsPosition")) == "New")
  }

  @Test func aPlaceholderOfAListIsJoinedInASingleText() throws {
    let found = try Self.rendition(Self.photo(inXMP: true), .all, .title, ["{keywords}"])
    #expect(found.xmp?.texts(.dc("title")) == ["k1, k2, too"])
  }

  /// Texts, the ratings of the renditions, and the texts of which a warning speaks.
  static let ratings: [(String, String, String?)] = [
    ("{rating}", "4", nil), ("{iso}", "3", "100"), ("{lens}", "3", "hello"), ("{title}", "3", nil),
    ("-1", "-1", nil),
  ]

  @Test(arguments: ratings) func aRatingThatIsNoNumberUpTo5IsLeftOutWithAWarning(
    _ text: String, _ rating: String, _ wrong: String?
  ) throws {
    var photo = Metadata()
    photo.xmp = XMP()
    photo.xmp?.set(.xmp("Rating"), text: "3")
    var policy = MetadataPolicy.all
    policy.texts[.rating] = [try TextTemplate(text)]
    let values = ["rating": "4", "iso": "100", "lens": "hello"]
    let curated = Curation(policy, for: Self.facts, values: values).curated(photo)
    #expect(curated.xmp?.text(.xmp("Rating")) == rating)
    let warning = wrong.map {
      "the rating \"\($0)\" was left out: it is not a number from -1 (rejected) to 5"
    }
    #expect(curated.warnings == [warning].compactMap { $0 })
  }
}
