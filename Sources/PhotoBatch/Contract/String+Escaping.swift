extension String {
  /// The text with some Unicode scalars replaced. It works on scalars because CR LF is one
  /// `Character`, as is a letter with its accents.
  package func spelling(_ spellings: [Unicode.Scalar: String]) -> String {
    var text = ""
    for scalar in unicodeScalars {
      if let spelling = spellings[scalar] {
        text += spelling
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
