/// The mark of a rendition: the identifier of its original in `xmpMM:DerivedFrom`.
public enum RenditionMark {
  static let prefix = "urn:phbatch:sha256:"

  /// Finds the original's digest, 64 hexadecimal digits, in the bytes of a rendition; nil if the
  /// bytes contain no mark.
  ///
  /// The bytes are searched and not parsed, because the file may have any format.
  public static func original(in bytes: [UInt8]) -> String? {
    let prefix = Array(Self.prefix.utf8)
    let first = prefix[0]
    var start = 0
    while let found = bytes[start...].firstIndex(of: first) {
      let rest = bytes[found...]
      if rest.starts(with: prefix) {
        let digits = rest.dropFirst(prefix.count).prefix(64)
        let text = String(decoding: digits, as: UTF8.self)
        if digits.count == 64, text.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) { return text }
      }
      start = found + 1
    }
    return nil
  }
}
