/// The directory and the number of a tag, for the tags that phbatch reads or sets by name.
///
/// - Source: CIPA DC-008-2023 (Exif 3.0), tables 4 to 16; ExifTool 12.57 for Windows' tags.
struct EXIFTag: Sendable, Hashable {
  let directory: EXIF.Directory
  let number: UInt16

  init(_ directory: EXIF.Directory, _ number: UInt16) {
    self.directory = directory
    self.number = number
  }

  static let description = EXIFTag(.primary, 0x010E)
  static let make = EXIFTag(.primary, 0x010F)
  static let model = EXIFTag(.primary, 0x0110)
  static let orientation = EXIFTag(.primary, 0x0112)
  static let xResolution = EXIFTag(.primary, 0x011A)
  static let yResolution = EXIFTag(.primary, 0x011B)
  static let resolutionUnit = EXIFTag(.primary, 0x0128)
  static let software = EXIFTag(.primary, 0x0131)
  static let changed = EXIFTag(.primary, 0x0132)
  static let artist = EXIFTag(.primary, 0x013B)
  static let rating = EXIFTag(.primary, 0x4746)
  static let copyright = EXIFTag(.primary, 0x8298)
  static let windowsTitle = EXIFTag(.primary, 0x9C9B)
  static let windowsComment = EXIFTag(.primary, 0x9C9C)
  static let windowsAuthor = EXIFTag(.primary, 0x9C9D)
  static let windowsKeywords = EXIFTag(.primary, 0x9C9E)
  static let windowsSubject = EXIFTag(.primary, 0x9C9F)

  static let exposureTime = EXIFTag(.photo, 0x829A)
  static let fNumber = EXIFTag(.photo, 0x829D)
  static let sensitivity = EXIFTag(.photo, 0x8827)
  static let taken = EXIFTag(.photo, 0x9003)
  static let digitized = EXIFTag(.photo, 0x9004)
  static let exposureBias = EXIFTag(.photo, 0x9204)
  static let flash = EXIFTag(.photo, 0x9209)
  static let focalLength = EXIFTag(.photo, 0x920A)
  static let makerNote = EXIFTag(.photo, 0x927C)
  static let userComment = EXIFTag(.photo, 0x9286)
  static let colourSpace = EXIFTag(.photo, 0xA001)
  static let pixelWidth = EXIFTag(.photo, 0xA002)
  static let pixelHeight = EXIFTag(.photo, 0xA003)
  static let lensModel = EXIFTag(.photo, 0xA434)
  static let subjectDistance = EXIFTag(.photo, 0x9206)
  static let equivalentFocalLength = EXIFTag(.photo, 0xA405)

  static let latitudeReference = EXIFTag(.gps, 0x0001)
  static let latitude = EXIFTag(.gps, 0x0002)
  static let longitudeReference = EXIFTag(.gps, 0x0003)
  static let longitude = EXIFTag(.gps, 0x0004)
  static let gpsTime = EXIFTag(.gps, 0x0007)
  static let processingMethod = EXIFTag(.gps, 0x001B)
  static let areaInformation = EXIFTag(.gps, 0x001C)
  static let gpsDate = EXIFTag(.gps, 0x001D)

  /// The tags whose texts begin with the name of their encoding.
  static let encodedTexts: Set = [userComment, processingMethod, areaInformation]
}
