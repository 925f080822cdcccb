public import PhotoRecipes

/// An XMP packet as its properties, each whole, with what is inside it untouched.
///
/// Properties are kept as markup: qualifiers, languages and structures that nobody here knows
/// survive. Exempi is not used: the project reads this part of XML in safe Swift already.
/// - Source: ISO 16684-1:2019, section 7.
public struct XMP: Sendable, Hashable {
  static let sizeLimit = 16 << 20

  /// Each name once, in the order of the packet.
  private(set) var properties: [MarkupElement] = []

  public init() {}

  public var isEmpty: Bool { properties.isEmpty }

  /// Reads a packet.
  ///
  /// - Throws: What is wrong with the XML, or that it is no XMP.
  public init(_ bytes: [UInt8]) throws(ForeignFileError) {
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
    // Some writers put NULs after the packet, or count one in.
    let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    let root = try MarkupParser.parse(Array(bytes[..<end]))
    guard let rdf = root.name == .rdf("RDF") ? root : root.child(.rdf("RDF")) else {
      throw .noProperties
    }
    for description in rdf.children where description.name == .rdf("Description") {
      for attribute in description.attributes where !Self.isSyntax(attribute.name) {
        add(MarkupElement(attribute.name, text: attribute.value))
      }
      for child in description.children { add(child.withoutPadding) }
    }
  }

  private static func isSyntax(_ name: MarkupName) -> Bool {
    name.namespace == MarkupName.rdf("").namespace || name.namespace == XMPPrefix.byPrefix["xml"]
  }

  /// Adds a property that is not there yet: the first of a name counts.
  private mutating func add(_ property: MarkupElement) {
    if self[property.name] == nil { properties.append(property) }
  }

  subscript(_ name: MarkupName) -> MarkupElement? { properties.first { $0.name == name } }

  /// Adds the properties of another packet that this one does not have.
  mutating func merge(_ other: XMP) {
    for property in other.properties { add(property) }
  }

  mutating func remove(_ name: MarkupName) { properties.removeAll { $0.name == name } }

  mutating func removeAll(where isUnwanted: (MarkupElement) -> Bool) {
    properties.removeAll(where: isUnwanted)
  }

  mutating func set(_ property: MarkupElement) {
    if let index = properties.firstIndex(where: { $0.name == property.name }) {
      properties[index] = property
    } else {
      properties.append(property)
    }
  }

  mutating func set(_ name: MarkupName, text: String) { set(MarkupElement(name, text: text)) }

  /// Sets a property to a list; `kind` is `Seq`, `Bag`, or `Alt`, whose only text is in the default
  /// language.
  mutating func set(_ name: MarkupName, _ kind: String, _ texts: [String]) {
    let language = MarkupElement.Attribute(
      MarkupName(XMPPrefix.byPrefix["xml"] ?? "", "lang"), "x-default")
    let items = texts.map {
      MarkupElement(.rdf("li"), attributes: kind == "Alt" ? [language] : [], text: $0)
    }
    set(MarkupElement(name, children: [MarkupElement(.rdf(kind), children: items)]))
  }

  /// The text of a property: of a list its first item, which of languages is the default.
  func text(_ name: MarkupName) -> String? { texts(name).first }

  /// The texts of a property: one, or those of a list.
  func texts(_ name: MarkupName) -> [String] {
    guard let property = self[name] else { return [] }
    let kinds = ["Seq", "Bag", "Alt"].map(MarkupName.rdf)
    let list = property.children.first { kinds.contains($0.name) }
    let texts = list.map { $0.children.map(\.text) } ?? [property.text]
    return texts.map { $0.trimmed }.filter { !$0.isEmpty }
  }
}

extension MarkupElement {
  /// Without the white space between its children.
  fileprivate var withoutPadding: MarkupElement {
    if children.isEmpty { return self }
    return MarkupElement(
      name, attributes: attributes, children: children.map(\.withoutPadding))
  }
}

extension String {
  /// Without white space at both ends.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
