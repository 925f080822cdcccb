import Notation
import PhotoRecipes

/// Facts that have a name in each of EXIF, XMP and IPTC: a rule for one of the names applies to
/// all, and a text that a policy sets replaces all.
///
/// - Source: ISO 16684-2 and CIPA DC-010-2024 (EXIF in XMP); Metadata Working Group, Guidelines
///   2.0, 5; the tables of ExifTool 12.57 for Windows' tags and for the vocabularies of programs.
enum Synonyms {
  /// The XMP names of tags; tags of one fact have the same names.
  private static let primary: [UInt16: String] = [
    0x010E: "tiff:ImageDescription dc:description", 0x010F: "tiff:Make", 0x0110: "tiff:Model",
    0x0131: "tiff:Software xmp:CreatorTool", 0x0132: "tiff:DateTime xmp:ModifyDate",
    0x013B: "tiff:Artist dc:creator", 0x4746: "xmp:Rating", 0x4749: "xmp:Rating",
    0x8298: "tiff:Copyright dc:rights", 0x9C9B: "dc:title", 0x9C9C: "exif:UserComment",
    0x9C9D: "tiff:Artist dc:creator", 0x9C9E: "dc:subject",
    0x9C9F: "tiff:ImageDescription dc:description",
  ]

  private static let photo: [UInt16: String] = [
    0x829A: "exif:ExposureTime", 0x829D: "exif:FNumber", 0x8822: "exif:ExposureProgram",
    0x8824: "exif:SpectralSensitivity",
    0x8827: "exif:ISOSpeedRatings exifEX:PhotographicSensitivity", 0x8828: "exif:OECF",
    0x8830: "exifEX:SensitivityType", 0x8831: "exifEX:StandardOutputSensitivity",
    0x8832: "exifEX:RecommendedExposureIndex", 0x8833: "exifEX:ISOSpeed",
    0x9003: "exif:DateTimeOriginal", 0x9004: "exif:DateTimeDigitized",
    0x9010: "exif:OffsetTime exifEX:OffsetTime",
    0x9011: "exif:OffsetTimeOriginal exifEX:OffsetTimeOriginal",
    0x9012: "exif:OffsetTimeDigitized exifEX:OffsetTimeDigitized",
    0x9201: "exif:ShutterSpeedValue", 0x9202: "exif:ApertureValue", 0x9203: "exif:BrightnessValue",
    0x9204: "exif:ExposureBiasValue", 0x9205: "exif:MaxApertureValue",
    0x9206: "exif:SubjectDistance", 0x9207: "exif:MeteringMode", 0x9208: "exif:LightSource",
    0x9209: "exif:Flash", 0x920A: "exif:FocalLength", 0x927C: "exif:MakerNote",
    0x9286: "exif:UserComment", 0x9290: "exif:SubSecTime", 0x9291: "exif:SubSecTimeOriginal",
    0x9292: "exif:SubSecTimeDigitized", 0xA20B: "exif:FlashEnergy", 0xA215: "exif:ExposureIndex",
    0xA217: "exif:SensingMethod", 0xA300: "exif:FileSource", 0xA301: "exif:SceneType",
    0xA302: "exif:CFAPattern", 0xA401: "exif:CustomRendered", 0xA402: "exif:ExposureMode",
    0xA403: "exif:WhiteBalance", 0xA404: "exif:DigitalZoomRatio",
    0xA405: "exif:FocalLengthIn35mmFilm", 0xA406: "exif:SceneCaptureType",
    0xA407: "exif:GainControl", 0xA408: "exif:Contrast", 0xA409: "exif:Saturation",
    0xA40A: "exif:Sharpness", 0xA40B: "exif:DeviceSettingDescription",
    0xA40C: "exif:SubjectDistanceRange", 0xA420: "exif:ImageUniqueID",
    0xA430: "exifEX:CameraOwnerName aux:OwnerName",
    0xA431: "exifEX:BodySerialNumber exif:BodySerialNumber aux:SerialNumber",
    0xA432: "exifEX:LensSpecification aux:LensInfo", 0xA433: "exifEX:LensMake",
    0xA434: "exifEX:LensModel aux:Lens", 0xA435: "exifEX:LensSerialNumber aux:LensSerialNumber",
    0xA436: "exifEX:ImageTitle", 0xA437: "exifEX:Photographer",
  ]

  /// The XMP names of GPS tags; a reference tag, which states for example north or south, has the
  /// name of the tag with the value.
  private static let gps: [UInt16: String] = [
    0: "GPSVersionID", 1: "GPSLatitude", 2: "GPSLatitude", 3: "GPSLongitude", 4: "GPSLongitude",
    5: "GPSAltitude", 6: "GPSAltitude", 7: "GPSTimeStamp", 8: "GPSSatellites", 9: "GPSStatus",
    10: "GPSMeasureMode", 11: "GPSDOP", 12: "GPSSpeed", 13: "GPSSpeed", 14: "GPSTrack",
    15: "GPSTrack", 16: "GPSImgDirection", 17: "GPSImgDirection", 18: "GPSMapDatum",
    19: "GPSDestLatitude", 20: "GPSDestLatitude", 21: "GPSDestLongitude", 22: "GPSDestLongitude",
    23: "GPSDestBearing", 24: "GPSDestBearing", 25: "GPSDestDistance", 26: "GPSDestDistance",
    27: "GPSProcessingMethod", 28: "GPSAreaInformation", 29: "GPSTimeStamp",
    30: "GPSDifferential", 31: "GPSHPositioningError",
  ].mapValues { "exif:\($0)" }

  /// Further properties that repeat a property.
  ///
  /// Rules that drop the property apply to them, too. A rule for one of them applies to it alone, so
  /// that a policy can drop the hierarchy of keywords and keep the keywords.
  private static let copies: KeyValuePairs<String, String> = [
    "dc:title": "acdsee:caption exifEX:ImageTitle",
    "dc:description": "acdsee:notes",
    "dc:creator": "acdsee:author exifEX:Photographer plus:ImageCreator",
    "dc:subject":
      "lr:hierarchicalSubject lr:weightedFlatSubject digiKam:TagsList mwg-kw:Keywords"
      + " MicrosoftPhoto:LastKeywordXMP MicrosoftPhoto:LastKeywordIPTC acdsee:keywords"
      + " acdsee:categories mediapro:CatalogSets",
    "xmp:Rating": "MicrosoftPhoto:Rating acdsee:rating photomech:Prefs",
    "xmp:Label": "digiKam:ColorLabel",
  ]

  /// The property that each of the copies repeats.
  private static let repeated: [String: String] = {
    var repeated: [String: String] = [:]
    for (name, copies) in copies {
      for copy in copies.split(separator: " ") { repeated["\(copy)"] = name }
    }
    return repeated
  }()

  /// The EXIF tags that have the same meaning as each XMP property, with their directories.
  fileprivate static let tags: [String: [(tag: UInt16, directory: EXIF.Directory)]] = {
    var tags: [String: [(tag: UInt16, directory: EXIF.Directory)]] = [:]
    let tables: KeyValuePairs<EXIF.Directory, [UInt16: String]> = [
      .primary: primary, .photo: photo, .gps: gps,
    ]
    for (directory, table) in tables {
      for (tag, names) in table.sorted(by: { $0.key < $1.key }) {
        for name in names.split(separator: " ") {
          tags["\(name)", default: []].append((tag, directory))
        }
      }
    }
    return tags
  }()

  /// The XMP names of a tag.
  static func names(of tag: UInt16, in directory: EXIF.Directory) -> [String] {
    let names =
      switch directory {
      case .primary: primary[tag]
      case .photo: photo[tag]
      case .gps: gps[tag]
      case .interoperability: String?.none
      }
    return (names ?? "").split(separator: " ").map(String.init)
  }

  /// The properties that have the meaning of a tag and whose names start with `prefix`, such as
  /// `exif:`.
  static func properties(withPrefix prefix: some StringProtocol) -> [MarkupName] {
    tags.keys.filter { $0.hasPrefix(prefix) }.compactMap { MarkupName(prefixed: $0) }
  }

  /// The groups of a property besides that of its kind: the date and the time of GPS also state
  /// when the photo was taken.
  fileprivate static func otherGroups(of property: String) -> [MetadataGroup] {
    let name = property.split { ":}".contains($0) }.last?.lowercased() ?? ""
    let isTime = name.contains("gps") && (name.contains("date") || name.contains("time"))
    return isTime ? [.date] : []
  }

  /// The rules for a property, and for all tags and properties that state the same fact.
  fileprivate static func rules(of property: String) -> [MetadataPolicy.Rule] {
    let tags = tags[property] ?? []
    let properties = [property] + tags.flatMap { names(of: $0.tag, in: $0.directory) }
    return properties.map { .property($0) } + tags.map { .tag($0.tag) }
  }

  /// The rules for the fact that a program's property repeats.
  fileprivate static func originals(of property: String) -> [MetadataPolicy.Rule] {
    repeated[property].map(rules) ?? []
  }
}

extension EXIF {
  /// The rules of a policy that keep or drop a tag.
  ///
  /// The rule for a directory's pointer applies to all of the directory's tags.
  static func naming(of tag: UInt16, in directory: Directory) -> MetadataPolicy.Naming {
    let properties = Synonyms.names(of: tag, in: directory)
    var families = directory.pointer.map { [MetadataPolicy.Rule.tag($0)] } ?? []
    // The tables do not list all tags of these directories, so a rule for all `exif` properties is
    // added here.
    if directory == .photo || directory == .gps { families.append(.property("exif:*")) }
    return .init(
      names: [.tag(tag)], synonyms: properties.flatMap(Synonyms.rules),
      originals: properties.flatMap(Synonyms.originals), families: families,
      likeProperties: properties, otherGroups: properties.flatMap(Synonyms.otherGroups))
  }
}

extension XMP {
  /// The rules of a policy that keep or drop a property such as `dc:title`.
  ///
  /// Rules for tags apply, too, because in formats without EXIF the content of a tag is written as
  /// this property.
  static func naming(of property: String) -> MetadataPolicy.Naming {
    var naming = MetadataPolicy.Naming(property: property)
    naming.synonyms = Synonyms.rules(of: property)
    naming.originals = Synonyms.originals(of: property)
    naming.otherGroups = Synonyms.otherGroups(of: property)
    for (tag, directory) in Synonyms.tags[property] ?? [] {
      naming.names.append(.tag(tag))
      if let pointer = directory.pointer { naming.families.append(.tag(pointer)) }
    }
    return naming
  }
}

extension IPTC {
  /// The rules of a policy that keep or drop a data set: those of the property with its meaning.
  static func naming(of set: DataSet) -> MetadataPolicy.Naming {
    property(of: set).map { XMP.naming(of: $0.prefixed) } ?? .init()
  }
}
