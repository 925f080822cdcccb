extension StringProtocol {
  /// The maximum number of combining marks in a row in a text from a file; far more than any
  /// language uses.
  package static var markLimit: Int { 256 }

  /// True if more than `markLimit` combining marks follow one another.
  ///
  /// The readers of JSON, XML and other texts refuse such a text. To compare or hash strings, Swift
  /// sorts the marks in a row, in a time that grows with the square of their number: a row of
  /// 300,000 marks takes a minute.
  package var hasTooManyMarks: Bool {
    // A mark has at least two bytes, so most texts are too short.
    guard utf8.count > 2 * Self.markLimit else { return false }
    var row = 0
    for scalar in unicodeScalars {
      row = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : row + 1
      if row > Self.markLimit { return true }
    }
    return false
  }
}
