extension String {
  /// The text with some characters spelled in another way, whatever stands beside them: CR LF is one
  /// `Character`, and so is a letter with its accents.
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
