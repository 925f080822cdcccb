import PhotoRecipes

extension XMP {
  /// What a property is about.
  ///
  /// - Source: ISO 16684-1:2019; XMP Specification part 2; IPTC Photo Metadata Standard 2023; the XMP
  ///   tables of ExifTool 12.57.
  static func kind(of name: MarkupName) -> MetadataKind {
    guard let prefix = XMPPrefix.byNamespace[name.namespace] else { return .group(.other) }
    let written = "\(prefix):\(name.local)"
    if structure.contains(written) { return .structure }
    if let group = groups[written] { return .group(group) }
    if name.local.hasPrefix("GPS") { return .group(.gps) }
    switch prefix {
    case "hdrgm", "HDRGainMap", "Container", "GCamera", "GDepth", "GImage", "GPano", "xmpNote":
      return .structure
    case "crs", "darktable": return .group(.settings)
    case "xmpRights": return .group(.copyright)
    case "xmpMM": return .group(.history)
    case "exif", "exifEX": return .group(.exposure)
    case "mwg-rs", "MP", "apple-fi": return .group(.people)
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
    "exifEX:InteroperabilityIndex", "xmp:BaseURL",
  ]

  private static let groups: [String: MetadataGroup] = {
    let lists: KeyValuePairs<MetadataGroup, String> = [
      .copyright: "dc:rights tiff:Copyright plus:CopyrightOwner plus:Licensor plus:ImageSupplier",
      .creator:
        "dc:creator tiff:Artist photoshop:AuthorsPosition plus:ImageCreator photoshop:CaptionWriter",
      .credit:
        "photoshop:Credit photoshop:Source photoshop:Instructions photoshop:TransmissionReference"
        + " dc:contributor dc:publisher dc:source",
      .title: "dc:title photoshop:Headline Iptc4xmpCore:IntellectualGenre",
      .description:
        "dc:description tiff:ImageDescription Iptc4xmpCore:AltTextAccessibility"
        + " Iptc4xmpCore:ExtDescrAccessibility Iptc4xmpExt:Event",
      .keywords:
        "dc:subject lr:hierarchicalSubject lr:weightedFlatSubject digiKam:TagsList"
        + " MicrosoftPhoto:LastKeywordXMP MicrosoftPhoto:LastKeywordIPTC photoshop:Category"
        + " photoshop:SupplementalCategories Iptc4xmpCore:SubjectCode Iptc4xmpCore:Scene",
      .rating:
        "xmp:Rating xmp:Label MicrosoftPhoto:Rating photoshop:Urgency digiKam:PickLabel"
        + " digiKam:ColorLabel",
      .date:
        "xmp:CreateDate xmp:ModifyDate xmp:MetadataDate photoshop:DateCreated dc:date"
        + " exif:DateTimeOriginal exif:DateTimeDigitized tiff:DateTime exif:SubSecTime"
        + " exif:SubSecTimeOriginal exif:SubSecTimeDigitized exifEX:OffsetTime"
        + " exifEX:OffsetTimeOriginal exifEX:OffsetTimeDigitized exif:OffsetTime"
        + " exif:OffsetTimeOriginal exif:OffsetTimeDigitized",
      .camera: "tiff:Make tiff:Model",
      .lens:
        "aux:Lens aux:LensInfo aux:LensID exifEX:LensMake exifEX:LensModel"
        + " exifEX:LensSpecification crs:LensModel",
      .serials:
        "aux:SerialNumber aux:LensSerialNumber aux:OwnerName exif:ImageUniqueID"
        + " exifEX:BodySerialNumber exifEX:LensSerialNumber exifEX:CameraOwnerName"
        + " exif:BodySerialNumber MicrosoftPhoto:CameraSerialNumber digiKam:ImageUniqueID"
        + " Iptc4xmpExt:DigImageGUID",
      .makerNote: "exif:MakerNote",
      .location:
        "photoshop:City photoshop:State photoshop:Country Iptc4xmpCore:Location"
        + " Iptc4xmpCore:CountryCode Iptc4xmpExt:LocationCreated Iptc4xmpExt:LocationShown"
        + " dc:coverage",
      .people:
        "Iptc4xmpExt:PersonInImage Iptc4xmpExt:PersonInImageWDetails Iptc4xmpExt:AddlModelInfo"
        + " Iptc4xmpExt:ModelAge plus:ModelReleaseStatus plus:ModelReleaseID"
        + " MicrosoftPhoto:People",
      .contact: "Iptc4xmpCore:CreatorContactInfo",
      .comment: "exif:UserComment",
      .software: "xmp:CreatorTool tiff:Software",
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
  /// What a data set is about.
  ///
  /// - Source: IPTC-NAA Information Interchange Model 4.2, chapter 6.
  static func kind(of set: DataSet) -> MetadataKind {
    // The envelope; its data set 90 says how texts are encoded.
    if set.record == 1 { return .structure }
    guard set.record == 2 else { return .group(.other) }
    switch set.number {
    case 0, 200...202: return .structure
    case 5, 105: return .group(.title)
    case 10: return .group(.rating)
    case 12, 15, 20, 25: return .group(.keywords)
    case 26, 27, 90, 92, 95, 100, 101: return .group(.location)
    case 30...38, 55...63: return .group(.date)
    case 40, 103, 110, 115: return .group(.credit)
    case 65, 70: return .group(.software)
    case 80, 85, 122: return .group(.creator)
    case 116: return .group(.copyright)
    case 118: return .group(.contact)
    case 120, 121, 125: return .group(.description)
    default: return .group(.other)
    }
  }
}
