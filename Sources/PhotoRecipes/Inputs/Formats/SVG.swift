extension InputFormat {
  /// XML whose first element of note is `svg`.
  ///
  /// - Source: SVG 1.1, 1.3 and appendix A.
  public static let svg = InputFormat("svg", "an SVG drawing", .document, "svg", request: "svg") {
    let text = String(decoding: $0.bytes.prefix(1_024), as: UTF8.self).drop {
      $0.isWhitespace || $0 == "\u{FEFF}"
    }
    return text.hasPrefix("<svg")
      || (["<?xml", "<!--", "<!DOCTYPE svg"].contains(where: text.hasPrefix)
        && text.contains("<svg"))
  }
}
