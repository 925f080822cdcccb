import FileStructure
import PhotoRecipes

extension PNGFile {
  /// A text under a keyword of the PNG Specification for which XMP has no property.
  ///
  /// Texts under other keywords belong to the programs that wrote them, and can repeat any other
  /// metadata, so they are not read.
  struct Text: Sendable, Hashable {
    let keyword: String
    let text: String
    let group: MetadataGroup

    /// The subjects of the keywords.
    ///
    /// - Source: PNG Specification, 3rd edition, 11.3.3.1.
    private static let groups: [String: MetadataGroup] = [
      "Disclaimer": .copyright, "Source": .camera, "Warning": .other, "Collection": .other,
    ]

    /// Nil for other keywords and for empty texts.
    init?(keyword: String, text: String) {
      guard let group = Self.groups[keyword], !text.trimmed.isEmpty else { return nil }
      (self.keyword, self.text, self.group) = (keyword, text, group)
    }
  }
}
