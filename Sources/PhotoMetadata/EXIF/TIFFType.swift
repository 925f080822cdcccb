/// The type of a value in a TIFF directory.
///
/// - Source: TIFF Revision 6.0, Adobe, 1992, section 2; BigTIFF (libtiff); Exif 3.0, 4.6.2.
enum TIFFType: Int, Sendable {
  case byte = 1
  case ascii = 2
  case short = 3
  case long = 4
  case rational = 5
  case signedByte = 6
  case undefined = 7
  case signedShort = 8
  case signedLong = 9
  case signedRational = 10
  case float = 11
  case double = 12
  case directory = 13
  case long8 = 16
  case signedLong8 = 17
  case directory8 = 18
  case utf8 = 129

  /// Bytes of one value.
  var size: Int {
    switch self {
    case .byte, .ascii, .signedByte, .undefined, .utf8: 1
    case .short, .signedShort: 2
    case .long, .signedLong, .float, .directory: 4
    case .rational, .signedRational, .double, .long8, .signedLong8, .directory8: 8
    }
  }

  /// Bytes that swap places together when the byte order changes.
  var unit: Int {
    switch self {
    case .rational, .signedRational: 4
    default: size
    }
  }
}
