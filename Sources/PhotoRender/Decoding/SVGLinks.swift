/// The files that an SVG drawing links to.
///
/// Links are not followed, so renditions lack the content of these files.
///
/// - Source: SVG 2, 12.3 and 16.1; Filter Effects Module Level 1, 9.14; XML 1.0, 2.4, 2.5 and 3.1.
enum SVGLinks {
  /// The elements that show the content of another file.
  private static let elements = ["image", "feImage", "use"]

  /// The links of a drawing in the order of the text; content in `data:` URLs and parts of the
  /// drawing itself are no links.
  static func all(in drawing: [UInt8]) -> [String] {
    var links: [String] = []
    var rest = drawing[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...].dropFirst()
      if let end = skipped.first(where: { rest.starts(with: $0.start) })?.end {
        rest = rest.firstRange(of: end).map { rest[$0.upperBound...] } ?? []
      } else if elements.contains(word(&rest)), let link = link(inAttributes: &rest) {
        links.append(link)
      }
    }
    return links
  }

  /// Comments and character data, without the first `<`.
  private static let skipped = [
    (start: Array("!--".utf8), end: Array("-->".utf8)),
    (start: Array("![CDATA[".utf8), end: Array("]]>".utf8)),
  ]

  /// Removes the attributes at the start of `rest`, and returns their link; nil if there is none.
  private static func link(inAttributes rest: inout ArraySlice<UInt8>) -> String? {
    var (key, link): (String, String?) = ("", nil)
    while true {
      rest = rest.drop(while: separators.contains)
      guard let first = rest.first, first != UInt8(ascii: ">") else { return link }
      guard quotes.contains(first) else {
        key = word(&rest)
        continue
      }
      let value = rest.dropFirst().prefix { $0 != first }
      rest = rest[value.endIndex...].dropFirst()
      if key == "href" { link = file(value) ?? link }
    }
  }

  /// The value of a link; nil if it is no file.
  private static func file(_ value: ArraySlice<UInt8>) -> String? {
    let start = String(decoding: value.prefix(longest), as: UTF8.self)
    let link = start.drop(while: \.isWhitespace)
    let isOwn = link.isEmpty || link.hasPrefix("#") || link.lowercased().hasPrefix("data:")
    return isOwn ? nil : String(link)
  }

  /// The number of bytes of a link that are read; `data:` URLs may have megabytes.
  private static let longest = 1024

  /// Removes a name from the start of `rest`, and returns it without its prefix.
  private static func word(_ rest: inout ArraySlice<UInt8>) -> String {
    let name = rest.prefix { !separators.contains($0) && !quotes.contains($0) && $0 != 0x3E }
    rest = rest[name.endIndex...]
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[$0...].dropFirst() } ?? name
    return String(decoding: local.prefix(longest), as: UTF8.self)
  }

  private static let separators = Array(" \t\r\n/=".utf8)
  private static let quotes = Array("\"'".utf8)
}
