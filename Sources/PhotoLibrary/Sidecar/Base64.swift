import FoundationEssentials

/// Base64 of RFC 4648, for names that are not UTF-8, and for images in HTML pages.
public enum Base64 {
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
  }

  public static func decode(_ text: String) -> [UInt8]? {
    Data(base64Encoded: text).map { Array($0) }
  }
}
