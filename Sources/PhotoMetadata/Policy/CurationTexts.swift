import Notation
import PhotoRecipes

extension Curation {
  /// Sets the policy's texts in all blocks that can store them.
  ///
  /// An item of a list that consists of one of the placeholders in `lists` stands for its items.
  func setTexts(_ metadata: inout Metadata, _ lists: [String: [String]]) {
    for (field, templates) in policy.texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let filled = templates.flatMap { template in
        let items = field.isList ? lists[template.text.trimmed] ?? [] : []
        return items.isEmpty ? [template.filled(with: values).trimmed] : items
      }
      var known: Set<String> = []
      let texts = filled.filter { !$0.isEmpty && known.insert($0).inserted }
      if field == .rating, let text = texts.first, !MetadataField.isRating(text) {
        metadata.warnings.append(
          "the rating \"\(text)\" was left out: it is not \(MetadataField.ratingKind)")
      } else if !texts.isEmpty {
        metadata.set(field, texts)
      }
    }
  }
}

extension Metadata {
  /// Sets a field in EXIF and XMP, and in IPTC if the photo has IPTC.
  ///
  /// Removes the other tags and properties that state the field's old value.
  mutating func set(_ field: MetadataField, _ texts: [String]) {
    let text = texts.joined(separator: "; ")
    var exif = exif ?? EXIF()
    var xmp = xmp ?? XMP()
    let property = field.property
    let rule = MetadataPolicy.Rule.property(property.prefixed)
    exif.removeAll { EXIF.naming(of: $1.tag, in: $0).denials.contains(rule) }
    xmp.removeAll {
      $0.name != property && XMP.naming(of: $0.name.prefixed).denials.contains(rule)
    }
    switch field {
    case .title, .description, .copyright, .usageTerms: xmp.set(property, "Alt", [text])
    case .keywords: xmp.set(property, "Bag", texts)
    case .creator: xmp.set(property, "Seq", texts)
    case .headline, .webStatement, .credit, .source, .instructions, .rating, .label:
      xmp.set(property, text: text)
    }
    if let tag = field.tag { exif.set(tag, text: text) }
    self.exif = exif
    self.xmp = xmp
    if let dataSet = field.dataSet { iptc?.set(dataSet, field.isList ? texts : [text]) }
  }
}

extension MetadataField {
  /// True if XMP and IPTC store several texts of the field.
  var isList: Bool { self == .keywords || self == .creator }

  var property: MarkupName {
    switch self {
    case .title: .dc("title")
    case .headline: .photoshop("Headline")
    case .description: .dc("description")
    case .keywords: .dc("subject")
    case .creator: .dc("creator")
    case .copyright: .dc("rights")
    case .usageTerms: Self.rights("UsageTerms")
    case .webStatement: Self.rights("WebStatement")
    case .credit: .photoshop("Credit")
    case .source: .photoshop("Source")
    case .instructions: .photoshop("Instructions")
    case .rating: .xmp("Rating")
    case .label: .xmp("Label")
    }
  }

  private static func rights(_ name: String) -> MarkupName {
    MarkupName(XMPPrefix.byPrefix["xmpRights"] ?? "", name)
  }

  /// The tag in which EXIF stores the field as text.
  fileprivate var tag: EXIFTag? {
    switch self {
    case .description: .description
    case .creator: .artist
    case .copyright: .copyright
    case .title, .headline, .keywords, .usageTerms, .webStatement, .credit, .source,
      .instructions, .rating, .label:
      nil
    }
  }

  fileprivate var dataSet: IPTC.Field? {
    switch self {
    case .title: .title
    case .headline: .headline
    case .description: .caption
    case .keywords: .keyword
    case .creator: .creator
    case .copyright: .copyright
    case .credit: .credit
    case .source: .source
    case .instructions: .instructions
    case .usageTerms, .webStatement, .rating, .label: nil
    }
  }
}
