import FileStructure
import PhotoRecipes
import SystemPackage
import TestSupport
import Testing

@testable import PhotoMetadata

/// Facts for which a format has no block are written as XMP.
@Suite(.enabled(if: ExifTool.isHere)) struct XMPConversionTests {
  private static func tags(
    of arguments: [String], from source: String = "jpeg", as format: String
  ) throws -> [String: String] {
    let suffix = source == "jpeg" ? "jpg" : source
    let photo = try ExifTool.writing(arguments, into: Specimen.plain(source), suffix)
    let original = Metadata(of: .bytes(photo))
    let curation = Curation(.all, for: RenditionFacts(width: 60, height: 40, isSRGB: true))
    let file = try curation.curated(original).embedded(in: Specimen.plain(format))
    try Audit(original, curation).check(.bytes(file))
    return try ExifTool.tags(of: file)
  }

  @Test(arguments: ["png", "webp", "gif"]) func fieldsOfIPTCGetTheirXMPProperties(
    _ format: String
  ) throws {
    let tags = try Self.tags(
      of: [
        "-IPTC:By-lineTitle=Staff", "-IPTC:Writer-Editor=Grace",
        "-IPTC:OriginalTransmissionReference=Job 7", "-IPTC:Country-PrimaryLocationCode=DEU",
        "-IPTC:Urgency#=5", "-IPTC:Category=SPO", "-IPTC:SupplementalCategories=Boats",
        "-IPTC:SupplementalCategories=Wind", "-IPTC:ObjectAttributeReference=001:Current",
        "-IPTC:SubjectReference=IPTC:15054000:SPO:soccer:", "-IPTC:DateCreated=2020:01:02",
        "-IPTC:TimeCreated=03:04:05+01:00", "-IPTC:DigitalCreationDate=2020:01:03",
      ], as: format)
    let expected = [
      "photoshop:AuthorsPosition": "Staff", "photoshop:CaptionWriter": "Grace",
      "photoshop:TransmissionReference": "Job 7", "iptcCore:CountryCode": "DEU",
      "photoshop:Urgency": "5", "photoshop:Category": "SPO",
      "iptcCore:IntellectualGenre": "Current", "iptcCore:SubjectCode": "15054000",
      "photoshop:DateCreated": "2020:01:02 03:04:05+01:00", "xmp:CreateDate": "2020:01:03",
    ]
    for (name, value) in expected { #expect(tags["XMP-\(name)"] == value, "\(name)") }
    let categories = tags["XMP-photoshop:SupplementalCategories"] ?? ""
    #expect(categories.contains("Boats") && categories.contains("Wind"))
  }

  @Test func aWarningNamesFieldsThatCannotBeStored() throws {
    let photo = try ExifTool.writing(
      [
        "-IPTC:Contact=Ada", "-IPTC:FixtureIdentifier=7", "-IPTC:Headline=Front page",
        "-IPTC:OriginatingProgram=Editor",
      ],
      into: Specimen.plain("jpeg"), "jpg")
    let folder = try TemporaryFolder()
    for (format, fields) in [("png", ["IPTC 2:22, IPTC 2:118"]), ("jpeg", [])] {
      try folder.write(Specimen.plain(format), to: "file")
      let file = try FileDescriptor.open(folder["file"], .readWrite)
      let warnings = try file.closeAfter {
        try Metadata(of: .bytes(photo)).embed(in: file.rawValue)
      }
      #expect(
        warnings
          == fields.map { "metadata was left out because the format cannot store it: \($0)" })
    }
  }

  @Test func tagsOfEXIFGetTheirXMPPropertiesInGIF() throws {
    let tags = try Self.tags(
      of: [
        "-EXIF:Rating=3", "-EXIF:XPTitle=A title", "-EXIF:XPKeywords=one;two",
        "-EXIF:LensModel=Lens 35mm", "-EXIF:LensInfo=24 70 2.8 2.8", "-EXIF:SerialNumber=S4711",
        "-EXIF:LensSerialNumber=L42", "-EXIF:ImageUniqueID=U1", "-EXIF:UserComment=Grüße",
        "-EXIF:FNumber=2.8", "-EXIF:ExposureTime=1/250", "-EXIF:ISO=400", "-EXIF:FocalLength=35",
        "-EXIF:ExposureCompensation=-0.5", "-EXIF:Flash#=89", "-EXIF:FileSource#=3",
        "-EXIF:DateTimeOriginal=2020:01:02 03:04:05", "-EXIF:SubSecTimeOriginal=123",
        "-EXIF:OffsetTimeOriginal=+01:00", "-EXIF:ModifyDate=2021:01:02 03:04:05",
        "-EXIF:GPSLatitude=48.5", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=2.5",
        "-EXIF:GPSLongitudeRef=E", "-EXIF:GPSAltitude=35.5", "-EXIF:GPSAltitudeRef#=1",
        "-EXIF:GPSDestLatitude=10.5", "-EXIF:GPSDestLatitudeRef=S", "-EXIF:GPSDestLongitude=20.5",
        "-EXIF:GPSDestLongitudeRef=W", "-EXIF:GPSDateStamp=2020:01:02",
        "-EXIF:GPSTimeStamp=02:04:05", "-EXIF:GPSImgDirection=90.5", "-EXIF:GPSMapDatum=WGS-84",
      ], as: "gif")
    let expected = [
      "xmp:Rating": "3", "dc:Title": "A title", "exifEX:LensModel": "Lens 35mm",
      "exifEX:LensInfo": "24 70 2.8 2.8", "exifEX:SerialNumber": "S4711",
      "exifEX:LensSerialNumber": "L42", "exif:ImageUniqueID": "U1", "exif:UserComment": "Grüße",
      "exif:FNumber": "2.8", "exif:ExposureTime": "0.004", "exif:ISO": "400",
      "exif:FocalLength": "35", "exif:ExposureCompensation": "-0.5", "exif:FlashFired": "1",
      "exif:FlashMode": "3", "exif:FlashRedEyeMode": "1", "exif:FlashReturn": "0",
      "exif:FileSource": "3", "exif:DateTimeOriginal": "2020:01:02 03:04:05.123+01:00",
      "xmp:ModifyDate": "2021:01:02 03:04:05", "exif:GPSAltitude": "35.5",
      "exif:GPSAltitudeRef": "1", "exif:GPSDestLatitude": "-10.5",
      "exif:GPSDestLongitude": "-20.5", "exif:GPSDateTime": "2020:01:02 02:04:05Z",
      "exif:GPSImgDirection": "90.5", "exif:GPSMapDatum": "WGS-84",
    ]
    for (name, value) in expected {
      #expect(tags["XMP-\(name)"] == value, "\(name): \(tags["XMP-\(name)"] ?? "nothing")")
    }
    #expect(tags["XMP-dc:Subject"]?.contains("two") == true)
  }

  static let dates: [(String, String?)] = [
    ("2020-01-02T03:04:05Z", "2020-01-02T03:04:05Z"),
    ("2020:01:02 03:04:05+01:00", "2020-01-02T03:04:05+01:00"),
    ("Thu, 2 Jan 2020 03:04:05 GMT", "2020-01-02T03:04:05Z"),
    ("02 January 2020 03:04:05 +0100", "2020-01-02T03:04:05+01:00"), ("yesterday", nil),
  ]

  @Test(arguments: dates) func theCreationTimeOfPNGIsTheDateOfCreation(
    _ text: String, _ date: String?
  ) {
    var xmp = XMP()
    xmp.add(text, keyword: "Creation Time")
    #expect(xmp.text(.xmp("CreateDate")) == date)
    var photo = Metadata()
    photo.xmp = xmp
    #expect(photo.captureTime == date.map { String($0.prefix(19)) })
  }

  @Test func textsOfPNGWithoutAPropertyStayInPNGUnlessThePolicyDropsThem() throws {
    let photo = try ExifTool.writing(
      ["-PNG:Disclaimer=As it is", "-PNG:PNGWarning=Bright light", "-PNG:Source=Scanner"],
      into: Specimen.plain("png"), "png")
    let original = Metadata(of: .bytes(photo))
    var dropping = MetadataPolicy.all
    dropping.dropped = [.group(.camera), .group(.copyright)]
    for (policy, texts) in [
      (MetadataPolicy.all, ["Disclaimer", "PNGWarning", "Source"]), (.web, ["Disclaimer"]),
      (dropping, ["PNGWarning"]), (.none, []),
    ] {
      let curation = Curation(policy, for: RenditionFacts(width: 60, height: 40, isSRGB: true))
      let file = try curation.curated(original).embedded(in: Specimen.plain("png"))
      try Audit(original, curation).check(.bytes(file))
      let tags = try ExifTool.tags(of: file).keys
      let names = ["Disclaimer", "PNGWarning", "Source"]
      #expect(names.filter { tags.contains("PNG:\($0)") } == texts)
    }
    let audit = Audit(
      original, Curation(dropping, for: RenditionFacts(width: 60, height: 40, isSRGB: true)))
    #expect(throws: MetadataError.self) { try audit.check(.bytes(photo)) }
  }
}
