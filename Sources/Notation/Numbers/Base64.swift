import FoundationEssentials

/// Base64 of RFC 4648, for names that are not UTF-8, for images in HTML pages and for maps in XMP.
public enum Base64 {
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
  }

  public static func decode(_ text: String) -> [UInt8]? {
    Data(base64Encoded: text).map { Array($0) }
  }
}

extension [UInt8] {
  /// Decodes Base64 that may contain white space; nil if the text is invalid.
  package init?(base64 text: String) {
    var bytes: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 0
    var padding = 0
    for byte in text.utf8 {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte + 4
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      case UInt8(ascii: "="):
        padding += 1
        continue
      case 0x20, 0x09, 0x0A, 0x0D: continue
      default: return nil
      }
      guard padding == 0 else { return nil }
      buffer = (buffer << 6 | UInt32(digit)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    guard padding <= 2, bits < 6 else { return nil }
    self = bytes
  }
}
