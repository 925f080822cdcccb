extension String {
  /// Its first characters in quotation marks, for a message: on one line, whatever the text has.
  func quoted(atMost longest: Int) -> String {
    let start = count > longest ? "\(prefix(longest))…" : self
    let shown = start.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }
    return "\"\(shown.joined())\""
  }
}
