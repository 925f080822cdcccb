import FileStructure
import Notation
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoMetadata

/// Names of people and places are dropped on request from every metadata vocabulary; the audit
/// finds any that remain.
@Suite(.enabled(if: ExifTool.isHere)) struct PeopleAndPlacesTests {
  /// The word that the test writes into every tag that must be dropped.
  private static let word = "Quincewood"

  static let people = [
    "-XMP-iptcExt:ImageRegion=[{Name=Ada \(word),RegionBoundary={RbShape=rectangle,"
      + "RbUnit=relative,RbX=0.1234,RbY=0.2,RbW=0.3,RbH=0.4}}]",
    "-XMP-MP:RegionInfoMP={Regions=[{PersonDisplayName=Ada \(word),Rectangle=0.1234|, 0.2|, 0.3|, 0.4}]}",
    "-XMP-mwg-rs:RegionInfo={RegionList=[{Name=Ada \(word),Type=Face,"
      + "Area={X=0.1234,Y=0.2,W=0.3,H=0.4,Unit=normalized}}]}",
    "-XMP-iptcExt:PersonInImage=Ada \(word)", "-XMP-iptcExt:PersonInImageName=Ada \(word)",
    "-XMP-iptcExt:PersonHeardName=Ada \(word)", "-XMP-prism:Person=Ada \(word)",
    "-XMP-getty:Personality=Ada \(word)", "-XMP-mediapro:People=Ada \(word)",
    "-XMP-expressionmedia:People=Ada \(word)",
    "-XMP-iptcExt:AdditionalModelInformation=Ada \(word)",
  ]

  static let places = [
    "-XMP-photoshop:City=\(word)", "-XMP-photoshop:State=\(word)", "-XMP-photoshop:Country=\(word)",
    "-XMP-iptcCore:Location=\(word)", "-XMP-iptcExt:LocationCreatedCity=\(word)",
    "-XMP-iptcExt:LocationShownSublocation=\(word)", "-XMP-iptcExt:RatingRegionCity=\(word)",
    "-XMP-prism:Location=\(word)", "-XMP-mediapro:Location=\(word)",
    "-XMP-xmpDM:ShotLocation=\(word)", "-XMP-dwc:DCLocality=\(word)", "-XMP-dc:Coverage=\(word)",
    "-IPTC:City=\(word)", "-IPTC:Sub-location=\(word)", "-IPTC:Province-State=\(word)",
    "-IPTC:Country-PrimaryLocationName=\(word)", "-IPTC:ContentLocationName=\(word)",
  ]

  private static func photo(_ argument: String) throws -> [UInt8] {
    let photo = try ExifTool.writing(
      [argument, "-XMP-dc:Title=A title"], into: Specimen.plain("jpeg"), "jpg")
    let isWritten = photo.contains(Array(word.utf8))
    try #require(isWritten, "\(argument)")
    return photo
  }

  private static func photo(xmp properties: String) throws -> [UInt8] {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" \
      xmlns:own="http://example.org/faces/">\(properties)</rdf:Description></rdf:RDF></x:xmpmeta>
      """
    var metadata = Metadata()
    metadata.xmp = try XMP(Array(packet.utf8))
    return try metadata.embedded(in: Specimen.plain("jpeg"))
  }

  private static func policy(dropping group: MetadataGroup) -> MetadataPolicy {
    var policy = MetadataPolicy.all
    policy.dropped = [.group(group)]
    return policy
  }

  /// Curates a photo's metadata and checks that the rendition does not contain the word.
  ///
  /// Also checks that the audit reports the word in a rendition with the metadata of the original.
  private static func expectDropped(
    _ photo: [UInt8], _ policy: MetadataPolicy, keepsFrame: Bool = true, _ comment: Comment
  ) throws {
    let facts = RenditionFacts(width: 60, height: 40, isSRGB: true, keepsFrame: keepsFrame)
    let original = Metadata(of: .bytes(photo))
    let curation = Curation(policy, for: facts)
    for format in ["jpeg", "webp"] {
      let file = try curation.curated(original).embedded(in: Specimen.plain(format))
      #expect(!file.contains(Array(word.utf8)), comment)
      #expect(!file.contains(Array("0.1234".utf8)), comment)
      try Audit(original, curation).check(.bytes(file))
      let leak = try original.embedded(in: Specimen.plain(format))
      // WebP cannot store some IPTC data sets, so a rendition in WebP may lack the word anyway.
      if !leak.contains(Array(word.utf8)) { continue }
      #expect(throws: MetadataError.self, comment) {
        try Audit(Metadata(), curation).check(.bytes(leak))
      }
      #expect(throws: MetadataError.self, comment) {
        try Audit(original, curation).check(.bytes(leak))
      }
    }
  }

  @Test(arguments: people) func aPolicyThatDropsPeopleDropsThemFromEveryVocabulary(
    _ argument: String
  ) throws {
    try Self.expectDropped(Self.photo(argument), Self.policy(dropping: .people), "\(argument)")
  }

  @Test(arguments: places) func aPolicyThatDropsPlacesDropsThemFromEveryVocabulary(
    _ argument: String
  ) throws {
    try Self.expectDropped(Self.photo(argument), Self.policy(dropping: .location), "\(argument)")
  }

  @Test(arguments: people + places) func peopleAndPlacesAreKeptIfThePolicyDoesNotDropThem(
    _ argument: String
  ) throws {
    let facts = RenditionFacts(width: 60, height: 40, isSRGB: true, keepsFrame: true)
    let curated = Curation(.all, for: facts).curated(Metadata(of: .bytes(try Self.photo(argument))))
    let file = try curated.embedded(in: Specimen.plain("jpeg"))
    #expect(file.contains(Array(Self.word.utf8)), "\(argument)")
  }

  @Test(arguments: people.prefix(3)) func faceRegionsAreDroppedIfTheRenditionIsCropped(
    _ argument: String
  ) throws {
    try Self.expectDropped(Self.photo(argument), .all, keepsFrame: false, "\(argument)")
  }

  /// Google's point in focus is a position in the stored frame.
  @Test(arguments: [(true, 1, true), (false, 1, false), (true, 6, false)])
  func aFocusPointIsKeptOnlyInTheStoredFrame(
    _ keepsFrame: Bool, _ orientation: Int, _ isKept: Bool
  ) throws {
    let focus = #"xmlns:GFocus="http://ns.google.com/photos/1.0/focus/""#
    let photo = try Self.photo(
      xmp: "<GFocus:FocalPointX \(focus)>0.1234</GFocus:FocalPointX>"
        + "<GFocus:FocalDistance \(focus)>26.5</GFocus:FocalDistance>")
    let facts = RenditionFacts(
      width: 60, height: 40, isSRGB: true, keepsFrame: keepsFrame, orientation: orientation)
    let (original, curation) = (Metadata(of: .bytes(photo)), Curation(.all, for: facts))
    let file = try curation.curated(original).embedded(in: Specimen.plain("jpeg"))
    #expect(file.contains(Array("0.1234".utf8)) == isKept)
    #expect(file.contains(Array("26.5".utf8)))
    try Audit(original, curation).check(.bytes(file))
  }

  @Test(arguments: [
    "<own:faceRegions>\(word)</own:faceRegions>", "<own:PersonName>\(word)</own:PersonName>",
    "<xmpMM:Pantry><rdf:Bag><rdf:li rdf:parseType=\"Resource\"><dc:title>t</dc:title>"
      + "<Iptc4xmpExt:PersonInImage><rdf:Bag><rdf:li>\(word)</rdf:li></rdf:Bag>"
      + "</Iptc4xmpExt:PersonInImage></rdf:li></rdf:Bag></xmpMM:Pantry>",
    "<xmpMM:Pantry><rdf:Bag><rdf:li><rdf:Description Iptc4xmpExt:PersonInImage=\"\(word)\"/>"
      + "</rdf:li></rdf:Bag></xmpMM:Pantry>",
  ])
  func namesOfPeopleInUnknownOrNestedXMPAreDropped(_ properties: String) throws {
    let photo = try Self.photo(xmp: properties)
    try Self.expectDropped(photo, Self.policy(dropping: .people), "\(properties)")
  }

  @Test func droppingANestedPlaceKeepsTheRestOfItsStructure() throws {
    let photo = try Self.photo(
      xmp:
        "<xmpMM:Pantry><rdf:Bag><rdf:li rdf:parseType=\"Resource\"><dc:title>Ingredient</dc:title>"
        + "<own:place>\(Self.word)</own:place></rdf:li></rdf:Bag></xmpMM:Pantry>")
    let facts = RenditionFacts(width: 60, height: 40, isSRGB: true, keepsFrame: true)
    let curation = Curation(Self.policy(dropping: .location), for: facts)
    let file = try curation.curated(Metadata(of: .bytes(photo))).embedded(
      in: Specimen.plain("jpeg"))
    #expect(file.contains(Array("Ingredient".utf8)) && !file.contains(Array(Self.word.utf8)))
  }

  /// The coordinates of a GeoTIFF's corners are kept exactly or dropped, because they can be
  /// neither rounded nor adapted to another crop.
  @Test func cornersOfGeoTIFFMapsAreKeptExactlyOrDropped() throws {
    var original = Metadata()
    var exif = EXIF()
    exif.set(EXIF.Entry(tag: 0x8482, type: .double, bytes: [UInt8](1...48)), in: .primary)
    original.exif = exif
    for (position, keepsFrame, isKept): (MetadataPolicy.Position, Bool, Bool) in [
      (.keep, true, true), (.keep, false, false), (.drop, true, false),
      (.round(kilometres: 10), true, false),
    ] {
      var policy = MetadataPolicy.all
      policy.position = position
      let facts = RenditionFacts(width: 60, height: 40, isSRGB: true, keepsFrame: keepsFrame)
      let curation = Curation(policy, for: facts)
      let kept = curation.curated(original).exif ?? EXIF()
      let found = kept[.primary].contains { $0.tag == 0x8482 }
      #expect(found == isKept, "\(position) \(keepsFrame)")
      if isKept { continue }
      let leak = try original.embedded(in: Specimen.plain("jpeg"))
      #expect(throws: MetadataError.self) { try Audit(Metadata(), curation).check(.bytes(leak)) }
    }
  }

  /// If a policy rounds GPS positions, coordinates inside XMP structures are removed, because they
  /// cannot be rounded.
  @Test func nestedCoordinatesAreDroppedIfThePolicyRoundsPositions() throws {
    let photo = try Self.photo(
      xmp:
        "<xmpMM:Pantry><rdf:Bag><rdf:li rdf:parseType=\"Resource\"><dc:title>Ingredient</dc:title>"
        + "<own:Latitude>48.858333</own:Latitude></rdf:li></rdf:Bag></xmpMM:Pantry>")
    var policy = MetadataPolicy.all
    policy.position = .round(kilometres: 10)
    let facts = RenditionFacts(width: 60, height: 40, isSRGB: true, keepsFrame: true)
    let curated = Curation(policy, for: facts).curated(Metadata(of: .bytes(photo)))
    let file = try curated.embedded(in: Specimen.plain("jpeg"))
    #expect(file.contains(Array("Ingredient".utf8)) && !file.contains(Array("48.85".utf8)))
  }

  @Test func unknownTagNamesAreClassifiedByTheWordsInThem() {
    for (name, group): (String, MetadataGroup) in [
      ("GPSLatitude", .gps), ("geoLatitude", .gps), ("cityName", .location), ("Capacity", .other),
      ("PersonID", .people), ("surfaces", .other), ("Estate", .other), ("face_1", .people),
    ] {
      #expect(PeopleAndPlaces.group(ofUnknown: name) == group, "\(name)")
    }
  }

  @Test func droppingPeopleRemovesTheMakerNoteUnlessThePolicyKeepsIt() {
    var policy = Self.policy(dropping: .people)
    #expect(!policy.keeps(.makerNote))
    policy.kept = [.group(.makerNote)]
    #expect(policy.keeps(.makerNote))
    #expect(!Self.policy(dropping: .location).keeps(.makerNote))
  }
}
