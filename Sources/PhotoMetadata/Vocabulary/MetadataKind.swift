import Notation
import PhotoRecipes

/// The subject of a tag, property or data set.
enum MetadataKind: Sendable, Hashable {
  /// The storage of the picture, and positions in the picture, for which a rendition has its own
  /// values.
  case structure
  case group(MetadataGroup)
}

extension EXIF {
  /// True if all tags describe how the picture is stored.
  var holdsOnlyStructure: Bool {
    Directory.allCases.allSatisfy { directory in
      self[directory].allSatisfy { Self.kind(of: $0.tag, in: directory) == .structure }
    }
  }

  /// The subject of a tag.
  ///
  /// - Source: CIPA DC-008-2023 (Exif 3.0), tables 4 to 16; ExifTool 12.57 for tags outside the
  ///   standard; Microsoft, "Property Item Descriptions" of GDI+.
  static func kind(of tag: UInt16, in directory: Directory) -> MetadataKind {
    switch directory {
    case .gps: return .group(.gps)
    // The directory states the original's colour standard, which may differ from the rendition's.
    case .interoperability: return .structure
    case .primary, .photo: break
    }
    if directory == .primary && isStructure(tag) { return .structure }
    return structure.contains(tag) ? .structure : .group(groups[tag] ?? .other)
  }

  /// The tags of orientation, resolution, pixels and colour space, of positions in the picture, of
  /// offsets, and of the thumbnail that Windows' GDI+ writes (0x5012…0x503B).
  private static let structure = Set<UInt16>(0x5012...0x503B).union([
    0x0100, 0x0101, 0x0112, 0x011A, 0x011B, 0x0128, 0x0201, 0x0202, 0x0213, 0x9000, 0x9101, 0x9102,
    0x9214, 0xA000, 0xA001, 0xA002, 0xA003, 0xA004, 0xA20E, 0xA20F, 0xA210, 0xA214, 0xA500, 0xEA1C,
    0xEA1D,
  ])

  private static let groups: [UInt16: MetadataGroup] = {
    let lists: KeyValuePairs<MetadataGroup, [UInt16]> = [
      .copyright: [0x8298],
      .creator: [0x013B, 0x9C9D, 0xA437, 0xA438],
      .title: [0x9C9B, 0x010D, 0x011D, 0xA436],
      .description: [0x010E, 0x9C9F],
      .keywords: [0x9C9E],
      .rating: [0x4746, 0x4749],
      .date: [
        0x0132, 0x882A, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292, 0xC71B,
      ],
      .camera: [0x010F, 0x0110, 0xC614],
      .lens: [0xA432, 0xA433, 0xA434],
      .serials: [0xA420, 0xA430, 0xA431, 0xA435, 0xC62F],
      .makerNote: [0x927C, 0xC634],
      // GeoTIFF 1.1: coordinates of the picture's corners.
      .gps: [0x830E, 0x8480, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1],
      .comment: [0x9286, 0x9C9C],
      .software: [0x000B, 0x0131, 0x013C, 0xA439, 0xA43A, 0xA43B, 0xA43C],
      .exposure: [
        0x829A, 0x829D, 0x8822, 0x8824, 0x8827, 0x8828, 0x8830, 0x8831, 0x8832, 0x8833, 0x8834,
        0x8835, 0x9201, 0x9202, 0x9203, 0x9204, 0x9205, 0x9206, 0x9207, 0x9208, 0x9209, 0x920A,
        0x9400, 0x9401, 0x9402, 0x9403, 0x9404, 0x9405, 0xA20B, 0xA20C, 0xA215, 0xA217, 0xA300,
        0xA301, 0xA302, 0xA401, 0xA402, 0xA403, 0xA404, 0xA405, 0xA406, 0xA407, 0xA408, 0xA409,
        0xA40A, 0xA40B, 0xA40C, 0xA460, 0xA461, 0xA462,
      ],
    ]
    var groups: [UInt16: MetadataGroup] = [:]
    for (group, tags) in lists { for tag in tags { groups[tag] = group } }
    return groups
  }()
}

extension XMP {
  /// The subject of a property.
  ///
  /// - Source: ISO 16684-1:2019; XMP Specification part 2; IPTC Photo Metadata Standard 2023; the
  ///   XMP tables of ExifTool 12.57.
  static func kind(of name: MarkupName) -> MetadataKind {
    guard let prefix = XMPPrefix.byNamespace[name.namespace] else {
      return .group(PeopleAndPlaces.group(ofUnknown: name.local))
    }
    let written = "\(prefix):\(name.local)"
    if structure.contains(written) { return .structure }
    if let group = groups[written] { return .group(group) }
    if name.local.hasPrefix("GPS") || name.local.hasPrefix("Gps") { return .group(.gps) }
    switch prefix {
    case "hdrgm", "HDRGainMap", "Container", "GCamera", "GDepth", "GImage", "GPano", "xmpNote",
      "DDContainer":
      return .structure
    case "crs", "darktable": return .group(.settings)
    case "xmpRights", "cc": return .group(.copyright)
    case "xmpMM": return .group(.history)
    case "exif", "exifEX": return .group(.exposure)
    case "mwg-rs", "MP", "MPRI", "MPReg", "apple-fi", "acdsee-rs": return .group(.people)
    // Darwin Core (`dwc`) states where a specimen was found. The cell of a telephone network
    // (`cell`) also reveals the place.
    case "dwc": return .group(.location)
    case "cell": return .group(.gps)
    case "mwg-kw": return .group(.keywords)
    default: return .group(.other)
    }
  }

  private static let structure: Set<String> = [
    "dc:format", "xmp:Thumbnails", "photoshop:ColorMode", "photoshop:ICCProfile",
    "tiff:Orientation", "tiff:ImageWidth", "tiff:ImageLength", "tiff:BitsPerSample",
    "tiff:Compression", "tiff:PhotometricInterpretation", "tiff:SamplesPerPixel",
    "tiff:PlanarConfiguration", "tiff:YCbCrSubSampling", "tiff:YCbCrPositioning",
    "tiff:XResolution", "tiff:YResolution", "tiff:ResolutionUnit", "tiff:TransferFunction",
    "tiff:WhitePoint", "tiff:PrimaryChromaticities", "tiff:YCbCrCoefficients",
    "tiff:ReferenceBlackWhite", "tiff:NativeDigest", "exif:NativeDigest", "exif:ExifVersion",
    "exif:FlashpixVersion", "exif:ColorSpace", "exif:ComponentsConfiguration",
    "exif:CompressedBitsPerPixel", "exif:PixelXDimension", "exif:PixelYDimension",
    "exif:SubjectArea", "exif:SubjectLocation", "exif:FocalPlaneXResolution",
    "exif:FocalPlaneYResolution", "exif:FocalPlaneResolutionUnit", "exifEX:Gamma",
    "exifEX:InteroperabilityIndex", "xmp:BaseURL", "Device:Container", "Device:Profiles",
    "Device:Cameras",
  ]

  private static let groups: [String: MetadataGroup] = {
    let lists: KeyValuePairs<MetadataGroup, String> = [
      .copyright:
        "dc:rights tiff:Copyright plus:CopyrightOwner plus:Licensor plus:ImageSupplier"
        + " Iptc4xmpExt:EmbdEncRightsExpr Iptc4xmpExt:LinkedEncRightsExpr plus:CopyrightStatus"
        + " plus:CopyrightRegistrationNumber plus:DataMining plus:CreditLineRequired"
        + " plus:LicenseStartDate plus:LicenseEndDate plus:MediaSummaryCode plus:MediaConstraints"
        + " plus:RegionConstraints plus:ProductOrServiceConstraints plus:ImageFileConstraints"
        + " plus:ImageAlterationConstraints plus:ImageDuplicationConstraints plus:OtherConstraints"
        + " plus:OtherLicenseRequirements plus:OtherConditions plus:OtherLicenseInfo plus:Reuse"
        + " plus:TermsAndConditionsText plus:TermsAndConditionsURL",
      .creator:
        "dc:creator tiff:Artist photoshop:AuthorsPosition plus:ImageCreator photoshop:CaptionWriter"
        + " acdsee:author exifEX:Photographer exifEX:ImageEditor",
      .credit:
        "photoshop:Credit photoshop:Source photoshop:Instructions photoshop:TransmissionReference"
        + " dc:contributor dc:publisher dc:source",
      .title:
        "dc:title photoshop:Headline Iptc4xmpCore:IntellectualGenre acdsee:caption"
        + " exifEX:ImageTitle",
      .description:
        "dc:description tiff:ImageDescription Iptc4xmpCore:AltTextAccessibility"
        + " Iptc4xmpCore:ExtDescrAccessibility Iptc4xmpExt:Event acdsee:notes",
      .keywords:
        "dc:subject lr:hierarchicalSubject lr:weightedFlatSubject digiKam:TagsList"
        + " MicrosoftPhoto:LastKeywordXMP MicrosoftPhoto:LastKeywordIPTC photoshop:Category"
        + " photoshop:SupplementalCategories Iptc4xmpCore:SubjectCode Iptc4xmpCore:Scene"
        + " acdsee:keywords acdsee:categories mediapro:CatalogSets",
      .rating:
        "xmp:Rating xmp:Label MicrosoftPhoto:Rating photoshop:Urgency digiKam:PickLabel"
        + " digiKam:ColorLabel acdsee:rating photomech:Prefs",
      .date:
        "xmp:CreateDate xmp:ModifyDate xmp:MetadataDate photoshop:DateCreated dc:date"
        + " exif:DateTimeOriginal exif:DateTimeDigitized tiff:DateTime exif:SubSecTime"
        + " exif:SubSecTimeOriginal exif:SubSecTimeDigitized exifEX:OffsetTime"
        + " exifEX:OffsetTimeOriginal exifEX:OffsetTimeDigitized exif:OffsetTime"
        + " exif:OffsetTimeOriginal exif:OffsetTimeDigitized MicrosoftPhoto:DateAcquired"
        + " acdsee:datetime acdsee:ReleaseDate acdsee:ReleaseTime",
      .camera: "tiff:Make tiff:Model",
      .lens:
        "aux:Lens aux:LensInfo aux:LensID exifEX:LensMake exifEX:LensModel"
        + " exifEX:LensSpecification crs:LensModel MicrosoftPhoto:LensManufacturer"
        + " MicrosoftPhoto:LensModel",
      .serials:
        "aux:SerialNumber aux:LensSerialNumber aux:OwnerName exif:ImageUniqueID"
        + " exifEX:BodySerialNumber exifEX:LensSerialNumber exifEX:CameraOwnerName"
        + " exif:BodySerialNumber MicrosoftPhoto:CameraSerialNumber digiKam:ImageUniqueID"
        + " Iptc4xmpExt:DigImageGUID",
      .makerNote: "exif:MakerNote",
      .location: PeopleAndPlaces.places,
      .people: PeopleAndPlaces.people,
      .gps: PeopleAndPlaces.coordinates,
      .contact:
        "Iptc4xmpCore:CreatorContactInfo plus:LicensorStreetAddress plus:LicensorExtendedAddress"
        + " plus:LicensorCity plus:LicensorRegion plus:LicensorPostalCode plus:LicensorCountry"
        + " plus:LicensorTelephoneType1 plus:LicensorTelephone1 plus:LicensorTelephoneType2"
        + " plus:LicensorTelephone2 plus:LicensorEmail",
      .comment: "exif:UserComment",
      .software:
        "xmp:CreatorTool tiff:Software acdsee:OriginatingProgram exifEX:CameraFirmware"
        + " exifEX:RAWDevelopingSoftware exifEX:ImageEditingSoftware"
        + " exifEX:MetadataEditingSoftware",
      .history: "photoshop:History photoshop:DocumentAncestors",
      .exposure: "aux:Firmware aux:FlashCompensation aux:ApproximateFocusDistance",
    ]
    var groups: [String: MetadataGroup] = [:]
    for (group, names) in lists {
      for name in names.split(separator: " ") { groups["\(name)"] = group }
    }
    return groups
  }()
}

extension IPTC {
  /// The subject of a data set: that of the property with its meaning, if there is one.
  ///
  /// - Source: IPTC-NAA Information Interchange Model 4.2, chapter 6.
  static func kind(of set: DataSet) -> MetadataKind {
    // The envelope record describes the block itself; its data set 90 states the encoding of the
    // texts.
    if set.record == 1 { return .structure }
    guard set.record == 2 else { return .group(.other) }
    if let property = property(of: set) { return XMP.kind(of: property) }
    switch set.number {
    case 0, 200...202: return .structure
    case 26, 27: return .group(.location)
    case 30...38: return .group(.date)
    case 65, 70: return .group(.software)
    case 118: return .group(.contact)
    case 121, 125: return .group(.description)
    default: return .group(.other)
    }
  }
}
