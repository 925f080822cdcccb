/// A text field that an output may write into its renditions.
public enum MetadataField: String, Choice {
  case title, headline, description, keywords, creator, copyright, usageTerms, webStatement
  case credit, source, instructions, rating, label
}

extension MetadataField {
  /// The kind of text that a rating is, for messages.
  public static let ratingKind = "a number from -1 (rejected) to 5"

  /// Matches ratings, and texts with placeholders; for the schema.
  static let ratingPattern = #"^(-?[01]\.?0*|[2-5]\.?0*|-?0?\.[0-9]+|[1-4]\.[0-9]+)$|\{"#

  /// True for a number in digits from −1 (rejected) to 5 stars.
  ///
  /// - Source: ISO 16684-1:2019, 8.4 (xmp:Rating).
  public static func isRating(_ text: String) -> Bool {
    guard text.allSatisfy({ "-.0123456789".contains($0) }), let number = Double(text) else {
      return false
    }
    return (-1...5).contains(number)
  }
}
