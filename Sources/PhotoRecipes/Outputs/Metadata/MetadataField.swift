/// A text field that an output may write into its renditions.
public enum MetadataField: String, Choice {
  case title, headline, description, keywords, creator, copyright, usageTerms, webStatement
  case credit, source, instructions, rating, label
}
