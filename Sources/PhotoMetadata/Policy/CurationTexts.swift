import Notation
import PhotoRecipes

extension Curation {
  /// Sets the policy's texts in all blocks that can store them.
  func setTexts(_ metadata: inout Metadata) {
    for (field, templates) in policy.texts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let texts = templates.map { $0.filled(with: values).trimmed }.filter { !$0.isEmpty }
      if !texts.isEmpty { metadata.set(field, texts) }
    }
  }
}

extension Metadata {
  /// Sets a field in EXIF and XMP, and in IPTC if the photo has IPTC.
  mutating func set(_ field: MetadataField, _ texts: [String]) {
    let text = texts.joined(separator: "; ")
    var exif = exif ?? EXIF()
    var xmp = xmp ?? XMP()
    switch field {
    case .title: xmp.set(.dc("title"), "Alt", [text])
    case .headline: xmp.set(.photoshop("Headline"), text: text)
    case .description:
      exif.set(.description, text: text)
      xmp.set(.dc("description"), "Alt", [text])
    case .keywords: xmp.set(.dc("subject"), "Bag", texts)
    case .creator:
      exif.set(.artist, text: text)
      xmp.set(.dc("creator"), "Seq", texts)
    case .copyright:
      exif.set(.copyright, text: text)
      xmp.set(.dc("rights"), "Alt", [text])
    case .usageTerms: xmp.set(Self.rights("UsageTerms"), "Alt", [text])
    case .webStatement: xmp.set(Self.rights("WebStatement"), text: text)
    case .credit: xmp.set(.photoshop("Credit"), text: text)
    case .source: xmp.set(.photoshop("Source"), text: text)
    case .instructions: xmp.set(.photoshop("Instructions"), text: text)
    case .rating: xmp.set(.xmp("Rating"), text: text)
    case .label: xmp.set(.xmp("Label"), text: text)
    }
    if !exif.isEmpty { self.exif = exif }
    self.xmp = xmp
    if let dataSet = field.dataSet { iptc?.set(dataSet, field == .keywords ? texts : [text]) }
  }

  private static func rights(_ name: String) -> MarkupName {
    MarkupName(XMPPrefix.byPrefix["xmpRights"] ?? "", name)
  }
}

extension MetadataField {
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
