extension InputFormat {
  /// Formats of pages and vector drawings.
  static let documents: [InputFormat] = [
    .pdf, .postScript, .svg, .svgz,
  ]

  /// A PDF document.
  ///
  /// - Source: ISO 32000-1, 7.5.2.
  public static let pdf = InputFormat(
    "pdf", "a PDF document", .document, "pdf ai", request: "pdf",
    loader: .init("pdfload_source", hasFrames: true, hasDensity: true)
  ) { $0.starts("%PDF-") }

  /// A PostScript document.
  ///
  /// - Source: Adobe, "PostScript Language Document Structuring Conventions".
  public static let postScript = InputFormat(
    "postscript", "a PostScript document", .document, "eps ps"
  ) { $0.starts("%!PS") }

  /// An SVG drawing: XML with the first element `svg`, and not an HTML page that contains drawings.
  ///
  /// - Source: SVG 1.1, 1.3 and appendix A.
  public static let svg = InputFormat(
    "svg", "an SVG drawing", .document, "svg", request: "svg",
    loader: .init("svgload_source", hasDensity: true)
  ) {
    let name = firstElement(in: String(decoding: $0.bytes, as: UTF8.self))
    return name == "svg" || name?.hasSuffix(":svg") == true
  }

  /// The name of an XML text's first element; nil if the text does not begin like XML.
  ///
  /// - Source: XML 1.0, 5th edition, 2.8 (prolog).
  private static func firstElement(in text: String) -> Substring? {
    var rest = text.drop { $0 == "\u{FEFF}" }
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard rest.first == "<" else { return nil }
      let end: String
      if rest.hasPrefix("<!--") {
        end = "-->"
      } else if rest.hasPrefix("<?") {
        end = "?>"
      } else if rest.hasPrefix("<!") {
        // A document type declaration may contain further declarations in brackets.
        let head = rest.prefix { $0 != ">" }
        end = head.contains("[") ? "]>" : ">"
      } else {
        return rest.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
      }
      guard let found = rest.firstRange(of: end) else { return nil }
      rest = rest[found.upperBound...]
    }
  }

  /// A gzip-compressed SVG drawing.
  ///
  /// libvips 8.14 may hang when it inspects such a file.
  ///
  /// - Source: RFC 1952, 2.3.1.
  public static let svgz = InputFormat(
    "svgz", "a compressed SVG drawing", .document, "svgz", request: "svg", isWeak: true,
    loader: .init("svgload_source", hasDensity: true)
  ) { $0.starts([0x1F, 0x8B, 8]) }
}
