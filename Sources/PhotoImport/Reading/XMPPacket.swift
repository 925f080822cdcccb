package import Notation

/// The properties of an XMP file, by namespace and name.
///
/// - Source: ISO 16684-1:2019, section 7: the part of RDF that XMP uses.
public struct XMPPacket: Sendable, Hashable {
  /// The maximum size of an XMP file: 1 MiB, because masks and brush strokes of Camera Raw may be
  /// large.
  public static let sizeLimit = 1 << 20

  package indirect enum Value: Sendable, Hashable {
    case text(String)
    case array([Value])
    case structure([MarkupName: Value])

    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var array: [Value]? { if case .array(let items) = self { items } else { nil } }
  }

  package let properties: [MarkupName: Value]

  public init(_ bytes: [UInt8]) throws(ForeignFileError) {
    guard bytes.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
    let root: MarkupElement
    do throws(MarkupFailure) { root = try MarkupParser.parse(bytes) } catch {
      throw ForeignFileError(error)
    }
    guard let rdf = root.name == RDF.root ? root : root.child(RDF.root) else {
      throw .noProperties
    }
    var properties: [MarkupName: Value] = [:]
    for description in rdf.children where description.name == RDF.description {
      // If a property occurs twice, the first one is used.
      properties.merge(Self.members(description)) { first, _ in first }
    }
    self.properties = properties
  }

  /// True if an element can be the root of an XMP file, complete or not.
  static func isPacket(_ root: MarkupElement) -> Bool {
    root.name == RDF.root || root.name == MarkupName("adobe:ns:meta/", "xmpmeta")
      || root.child(RDF.root) != nil
  }

  package subscript(_ namespace: String, _ name: String) -> Value? {
    properties[MarkupName(namespace, name)]
  }

  private enum RDF {
    static let namespace = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    static let root = MarkupName(namespace, "RDF")
    static let description = MarkupName(namespace, "Description")
    static let item = MarkupName(namespace, "li")
    static let resource = MarkupName(namespace, "resource")
    static let arrays = ["Seq", "Bag", "Alt"].map { MarkupName(namespace, $0) }

    static func owns(_ name: MarkupName) -> Bool {
      name.namespace == namespace || name.namespace == "http://www.w3.org/XML/1998/namespace"
    }
  }

  private static func members(_ element: MarkupElement) -> [MarkupName: Value] {
    var members: [MarkupName: Value] = [:]
    for attribute in element.attributes where !RDF.owns(attribute.name) {
      members[attribute.name] = .text(attribute.value)
    }
    for child in element.children where members[child.name] == nil {
      members[child.name] = value(child)
    }
    return members
  }

  private static func value(_ element: MarkupElement) -> Value {
    if let resource = element[RDF.resource] { return .text(resource) }
    if let array = element.children.first(where: { RDF.arrays.contains($0.name) }) {
      return .array(array.children.filter { $0.name == RDF.item }.map(value))
    }
    if let description = element.child(RDF.description) {
      return .structure(members(description))
    }
    let members = members(element)
    return members.isEmpty ? .text(element.text) : .structure(members)
  }
}
