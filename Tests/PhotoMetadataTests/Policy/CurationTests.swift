import FileStructure
import Foundation
import Notation
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing

/// The metadata that each policy keeps in renditions; ExifTool checks it in every format.
@Suite(.enabled(if: ExifTool.isHere)) struct CurationTests {
  private static let facts = RenditionFacts(
    width: 60, height: 40, isSRGB: true, keepsFrame: true, software: "phbatch 0.1.0",
    recipe: "org.example.test 1.0.0", original: "IMG_1.JPG")

  private static func policy(_ text: String) throws -> MetadataPolicy {
    let source = SourceText(
      name: "test",
      text: """
        {"identifier": "org.example.t", "version": "1.0.0",
         "outputs": [{"name": "a", "format": "jpeg", "metadata": \(text)}]}
        """)
    let document = try RecipeDocument(source) { file throws(Problem) in
      throw .contradiction("no file \(file.path)", remedy: "name none")
    }
    return try document.recipe().recipe.outputs[0].metadata
  }

  private static func rendition(
    _ policy: String, _ format: String, values: [String: String] = [:]
  ) throws -> [UInt8] {
    let original = Metadata(of: .bytes(try Specimen.full.get()))
    let curation = Curation(try self.policy(policy), for: facts, values: values)
    let file = try curation.curated(original).embedded(in: Specimen.plain(format))
    try Audit(original, curation).check(.bytes(file))
    return file
  }

  /// The tags, except those that describe the container or the storage of the picture.
  private static func metadata(_ tags: [String: String]) -> [String: String] {
    let others = [
      "File", "System", "ExifTool", "SourceFile", "Composite", "JFIF", "PNG", "RIFF", "Jpeg2000",
      "ICC", "QuickTime", "Meta", "JXL", "XMP-x", "IPTC:CodedCharacterSet", "GIF", "PNG-pHYs",
    ]
    let structure = [
      "IFD0:ImageWidth", "IFD0:ImageHeight", "IFD0:BitsPerSample", "IFD0:Compression",
      "IFD0:PhotometricInterpretation", "IFD0:StripOffsets", "IFD0:SamplesPerPixel",
      "IFD0:RowsPerStrip", "IFD0:StripByteCounts", "IFD0:XResolution", "IFD0:YResolution",
      "IFD0:PlanarConfiguration", "IFD0:ResolutionUnit", "IFD0:SampleFormat", "IFD0:Orientation",
      "ExifIFD:ExifVersion", "ExifIFD:ColorSpace", "ExifIFD:ExifImageWidth",
      "ExifIFD:ExifImageHeight", "IFD0:SubfileType",
    ]
    return tags.filter { tag in
      !others.contains { tag.key.hasPrefix($0) } && !structure.contains(tag.key)
    }
  }

  @Test(arguments: Specimen.formats + ["gif"])
  func thePolicyWebKeepsOnlyCopyrightAndCreator(_ format: String) throws {
    let tags = try ExifTool.tags(of: Self.rendition(#""web""#, format))
    #expect(tags["XMP-dc:Creator"] == "Ada Lovelace" && tags["XMP-dc:Rights"] == "(c) 2020 Ada")
    if format != "gif" {
      #expect(tags["IFD0:Artist"] == "Ada Lovelace" && tags["IFD0:Copyright"] == "(c) 2020 Ada")
      #expect(tags["ExifIFD:ColorSpace"] == "1")
    }
    let allowed = [
      "IFD0:Artist", "IFD0:Copyright", "XMP-dc:Creator", "XMP-dc:Rights", "IPTC:By-line",
      "IPTC:CopyrightNotice",
    ]
    let more = Self.metadata(tags).keys.filter { !allowed.contains($0) }
    #expect(more.isEmpty, "\(format): \(more)")
  }

  /// The original's digest is found in the bytes of every format, unless the policy denies it.
  @Test(arguments: Specimen.formats + ["gif"])
  func renditionsContainTheDigestOfTheOriginalUnlessDenied(_ format: String) throws {
    let digest = String(repeating: "0123456789abcdef", count: 4)
    let original = Metadata(of: .bytes(try Specimen.full.get()))
    var facts = Self.facts
    facts.originalDigest = digest
    for (policy, isMarked) in [
      (#""web""#, true), (#""all""#, true), (#""none""#, false),
      (#"{"preset": "web", "drop": ["history"]}"#, false),
      (#"{"preset": "all", "drop": ["xmpMM:DerivedFrom"]}"#, false),
      (#"{"keep": ["copyright"]}"#, false),
    ] {
      let curation = Curation(try Self.policy(policy), for: facts)
      let file = try curation.curated(original).embedded(in: Specimen.plain(format))
      try Audit(original, curation).check(.bytes(file))
      #expect(RenditionMark.original(in: file) == (isMarked ? digest : nil), "\(policy)")
      let empty = try curation.curated(Metadata()).embedded(in: Specimen.plain(format))
      #expect(RenditionMark.original(in: empty) == (isMarked ? digest : nil), "\(policy)")
    }
    #expect(RenditionMark.original(in: Array("urn:phbatch:sha256:00".utf8)) == nil)
  }

  @Test(arguments: Specimen.formats + ["gif"])
  func thePolicyNoneKeepsNoMetadata(_ format: String) throws {
    let tags = Self.metadata(try ExifTool.tags(of: Self.rendition(#""none""#, format)))
    #expect(tags.isEmpty, "\(format): \(tags)")
  }

  @Test(arguments: Specimen.formats)
  func thePolicyAllKeepsAllTagsAndDescribesTheRendition(_ format: String) throws {
    let file = try Self.rendition(#""all""#, format)
    let tags = try ExifTool.tags(of: file)
    #expect(tags["IFD0:Orientation"] == "1" && tags["ExifIFD:ExifImageWidth"] == "60")
    #expect(tags["ExifIFD:ISO"] == "400" && tags["XMP-xmp:Rating"] == "4")
    #expect(tags["ExifIFD:OffsetTimeOriginal"] == "+01:00")
    #expect(tags["XMP-xmp:CreatorTool"] == "phbatch 0.1.0")
    #expect(tags["XMP-xmpMM:DerivedFromDocumentID"] == "xmp.did:0815")
    #expect(tags["XMP-xmpMM:HistoryParameters"]?.contains("org.example.test 1.0.0") == true)
    #expect(tags["XMP-crs:Exposure2012"] == nil, "another program's settings")
    #expect(try Self.rendition(#""all""#, format) == file, "the same bytes every time")
  }

  @Test func thePolicyArchiveKeepsCameraRawSettingsMarkedAsApplied() throws {
    let tags = try ExifTool.tags(of: Self.rendition(#""archive""#, "jpeg"))
    #expect(tags["XMP-crs:Exposure2012"] == "+1.50" && tags["XMP-crs:AlreadyApplied"] == "1")
  }

  @Test(arguments: Specimen.formats)
  func theGPSSettingKeepsDropsOrRoundsCoordinates(_ format: String) throws {
    let dropped = try ExifTool.tags(
      of: Self.rendition(#"{"preset": "all", "gps": "drop"}"#, format))
    #expect(!dropped.keys.contains { $0.contains("GPS") }, "\(dropped.keys)")
    #expect(!dropped.values.contains { $0.contains("Paris") }, "\(dropped)")
    #expect(dropped["ExifIFD:ISO"] == "400")
    let kept = try ExifTool.tags(of: Self.rendition(#"{"preset": "web", "gps": "keep"}"#, format))
    #expect(kept["GPS:GPSAltitude"] == "35.5" && kept["ExifIFD:ISO"] == nil)
    let rounded = try ExifTool.tags(
      of: Self.rendition(#"{"preset": "all", "gps": "round(10)"}"#, format))
    let latitude = try #require(rounded["GPS:GPSLatitude"].flatMap { Double($0) })
    #expect(abs(latitude - 48.858333) < 10 / 111.0 && abs(latitude - 48.858333) > 1e-4)
    #expect(rounded["XMP-exif:GPSLatitude"] != "48.858333" && rounded["GPS:GPSAltitude"] == nil)
  }

  @Test(arguments: Specimen.formats)
  func tagsInTheKeepAndDropListsAreKeptAndDropped(_ format: String) throws {
    let kept = try ExifTool.tags(
      of: Self.rendition(#"{"keep": ["camera", "dc:subject", "0x8827"]}"#, format))
    #expect(kept["IFD0:Make"] == "CAMERAMAKER" && kept["ExifIFD:ISO"] == "400")
    #expect(kept["XMP-dc:Subject"]?.contains("alpha") == true)
    #expect(kept["IFD0:Artist"] == nil && kept["XMP-dc:Title"] == nil)
    let dropped = try ExifTool.tags(
      of: Self.rendition(#"{"drop": ["serials", "date", "crs:*"]}"#, format))
    #expect(!dropped.values.contains { $0.contains("SERIAL4711") })
    #expect(dropped["ExifIFD:DateTimeOriginal"] == nil && dropped["IFD0:Make"] == "CAMERAMAKER")
  }

  @Test(arguments: Specimen.formats)
  func textsThatThePolicySetsAreWrittenToAllBlocks(_ format: String) throws {
    let policy = """
      {"preset": "web", "set": {"copyright": "© {date:yyyy} {creator}", "title": "{stem} of {camera}",
       "keywords": ["one", "two"], "creator": "Zoë Ünal"}}
      """
    let values = [
      "date": "2021-05-06T07:08:09", "creator": "Ada", "stem": "IMG_1", "camera": "Box",
    ]
    let tags = try ExifTool.tags(of: Self.rendition(policy, format, values: values))
    #expect(tags["XMP-dc:Rights"] == "© 2021 Ada" && tags["XMP-dc:Title"] == "IMG_1 of Box")
    #expect(tags["IFD0:Copyright"] == "© 2021 Ada" && tags["IFD0:Artist"] == "Zoë Ünal")
    #expect(tags["XMP-dc:Subject"]?.contains("two") == true)
    if format == "jpeg" { #expect(tags["IPTC:By-line"] == "Zoë Ünal") }
  }

  @Test func photoDetailsAreReadFromEXIFIPTCAndXMP() throws {
    let details = PhotoDetails(Metadata(of: .bytes(try Specimen.full.get())))
    #expect(details.camera == "CAMERAMAKER CAMERAMODEL X1" && details.lens == "LENSNAME 35mm")
    #expect(details.sensitivity == 400 && details.aperture == 2.8 && details.rating == 4)
    #expect(details.keywords == ["alpha", "beta"] && details.hasPosition)
    #expect(details.date == "2020-01-02T03:04:05" && details.creator == "Ada Lovelace")
    #expect(PhotoDetails(details.json) == details)
  }
}
