public import Notation
import PhotoRecipes

/// The properties of an XMP packet.
///
/// Properties are kept as XML elements, so that unknown qualifiers, languages and structures
/// survive. Exempi is not used: it is a C++ library that would read hostile bytes, and phbatch's
/// XML reader for other programs' edits can also read XMP.
/// - Source: ISO 16684-1:2019, section 7.
public struct XMP: Sendable, Hashable {
  static let sizeLimit = 16 << 20

  /// The identifier of a `uuid` box that contains a packet.
  ///
  /// - Source: XMP Specification part 3, 2020, 1.1.4 and 1.1.5.
  static let boxIdentifier: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]

  /// The properties in the order of the packet, each name once.
  private(set) var properties: [MarkupElement] = []

  public init() {}

  public var isEmpty: Bool { properties.isEmpty }

  /// Reads a packet.
  ///
  /// - Throws: `XMPError` if the packet is too large, the XML is invalid, or it contains no
  ///   `rdf:RDF` element.
  public init(_ bytes: [UInt8]) throws(XMPError) {
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
    // Ignores NULs, which some writers append to the packet.
    let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    let root: MarkupElement
    do throws(MarkupFailure) { root = try MarkupParser.parse(Array(bytes[..<end])) } catch {
      throw .markup(error)
    }
    guard let rdf = root.name == .rdf("RDF") ? root : root.child(.rdf("RDF")) else {
      throw .noProperties
    }
    let descriptions = rdf.children.filter { $0.name == .rdf("Description") }
    add(
      descriptions.flatMap { description in
        let attributes = description.attributes.filter { !Self.isSyntax($0.name) }
        return attributes.map { MarkupElement($0.name, text: $0.value) }
          + description.children.map(\.withoutPadding)
      })
  }

  private static func isSyntax(_ name: MarkupName) -> Bool {
    name.namespace == MarkupName.rdf("").namespace || name.namespace == XMPPrefix.byPrefix["xml"]
  }

  /// Adds the first property of each name that the packet does not have yet.
  private mutating func add(_ new: [MarkupElement]) {
    var known = Set(properties.map(\.name))
    for property in new where known.insert(property.name).inserted { properties.append(property) }
  }

  subscript(_ name: MarkupName) -> MarkupElement? { properties.first { $0.name == name } }

  /// Adds those properties of another packet whose names this packet does not have.
  mutating func merge(_ other: XMP) {
    add(other.properties)
  }

  /// This packet with those properties of another packet whose names it does not have.
  public func merged(with other: XMP) -> XMP {
    var result = self
    result.merge(other)
    return result
  }

  mutating func remove(_ name: MarkupName) { properties.removeAll { $0.name == name } }

  mutating func removeAll(where isUnwanted: (MarkupElement) -> Bool) {
    properties.removeAll(where: isUnwanted)
  }

  /// Replaces each property by the result of `change`, which keeps its name.
  mutating func replaceAll(_ change: (MarkupElement) -> MarkupElement) {
    properties = properties.map(change)
  }

  mutating func set(_ property: MarkupElement) {
    if let index = properties.firstIndex(where: { $0.name == property.name }) {
      properties[index] = property
    } else {
      properties.append(property)
    }
  }

  /// The packet with a property set.
  func with(_ property: MarkupElement) -> XMP {
    var result = self
    result.set(property)
    return result
  }

  mutating func set(_ name: MarkupName, text: String) { set(MarkupElement(name, text: text)) }

  /// Sets a property to a list; `kind` is `Seq`, `Bag`, or `Alt` with one text in the default
  /// language.
  mutating func set(_ name: MarkupName, _ kind: String, _ texts: [String]) {
    let language = MarkupElement.Attribute(
      MarkupName(XMPPrefix.byPrefix["xml"] ?? "", "lang"), "x-default")
    let items = texts.map {
      MarkupElement(.rdf("li"), attributes: kind == "Alt" ? [language] : [], text: $0)
    }
    set(MarkupElement(name, children: [MarkupElement(.rdf(kind), children: items)]))
  }

  /// The text of a property, or of the first item of its list; nil if it has none.
  ///
  /// XMP writers put the default language first in a list of languages.
  func text(_ name: MarkupName) -> String? { texts(name).first }

  /// The text of a property, or the texts of its list.
  func texts(_ name: MarkupName) -> [String] {
    guard let property = self[name] else { return [] }
    let kinds = ["Seq", "Bag", "Alt"].map(MarkupName.rdf)
    let list = property.children.first { kinds.contains($0.name) }
    let texts = list.map { $0.children.map(\.text) } ?? [property.text]
    return texts.map { $0.trimmed }.filter { !$0.isEmpty }
  }
}

extension MarkupElement {
  /// The element without the white space between its children.
  fileprivate var withoutPadding: MarkupElement {
    if children.isEmpty { return self }
    return MarkupElement(
      name, attributes: attributes, children: children.map(\.withoutPadding))
  }
}

extension String {
  /// The text without white space at both ends.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

/// The reason why a packet cannot be read.
public enum XMPError: Error, Hashable {
  case tooLarge(limit: Int)
  case markup(MarkupFailure)
  /// The packet contains no `rdf:RDF` element.
  case noProperties

  var message: String {
    switch self {
    case .tooLarge(let limit): "it is larger than \(limit >> 10) KiB"
    case .markup(let failure):
      "its XML is invalid at line \(failure.line), column \(failure.column):"
        + " \(failure.error.message)"
    case .noProperties: "the XMP does not contain an rdf:RDF element"
    }
  }
}
