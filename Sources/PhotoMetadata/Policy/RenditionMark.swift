import FileStructure
import Notation
public import PhotoRecipes

/// The mark of a rendition: the identifier of its original in `xmpMM:DerivedFrom`.
///
/// phbatch recognizes its renditions by the mark even if the sidecar is lost.
public enum RenditionMark {
  private static let prefix = "urn:phbatch:sha256:"

  /// The mark of a rendition; nil if the policy does not allow it.
  ///
  /// `digest` is the original's digest, 64 hexadecimal digits.
  public static func text(_ digest: String, _ policy: MetadataPolicy) -> String? {
    let rules: [MetadataPolicy.Rule] = [
      .group(.history), .property("xmpMM:DerivedFrom"), .property("xmpMM:*"),
    ]
    guard policy.preset != .none, !rules.contains(where: policy.dropped.contains) else {
      return nil
    }
    return prefix + digest
  }

  /// The property `xmpMM:DerivedFrom` with only the mark.
  static func property(_ mark: String) -> MarkupElement {
    let name = MarkupName(XMPPrefix.byPrefix["stRef"] ?? "", "originalDocumentID")
    let kind = MarkupElement.Attribute(.rdf("parseType"), "Resource")
    return MarkupElement(
      .history("DerivedFrom"), attributes: [kind], children: [MarkupElement(name, text: mark)])
  }

  /// The XMP in the content of a `uuid` box; nil for another box, or if the XMP is invalid.
  public static func xmp(inBox content: [UInt8]) -> XMP? {
    guard content.starts(with: XMP.boxIdentifier) else { return nil }
    return try? XMP(Array(content.dropFirst(XMP.boxIdentifier.count)))
  }

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
