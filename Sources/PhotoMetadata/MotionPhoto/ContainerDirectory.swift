import Notation

/// Google's list of the pictures and films in a file, a property of XMP.
///
/// - Source: Android, "Motion Photo format" 1.0 and "Ultra HDR Image Format" 1.1.
enum ContainerDirectory {
  struct Item {
    let semantic: String
    let mime: String
    var length: Int?
    /// The number of bytes between the item and the next one.
    var padding: Int?
  }

  private static func name(_ prefix: String, _ local: String) -> MarkupName {
    MarkupName(XMPPrefix.byPrefix[prefix] ?? "", local)
  }

  /// A name in the namespace of Google's camera.
  static func camera(_ local: String) -> MarkupName { name("GCamera", local) }

  private static let directory = name("Container", "Directory")

  /// The property that lists items.
  static func property(_ items: [Item]) -> MarkupElement {
    let entries = items.map { item -> MarkupElement in
      var attributes = [
        MarkupElement.Attribute(name("Item", "Semantic"), item.semantic),
        MarkupElement.Attribute(name("Item", "Mime"), item.mime),
      ]
      if let length = item.length { attributes.append(.init(name("Item", "Length"), "\(length)")) }
      if let padding = item.padding {
        attributes.append(.init(name("Item", "Padding"), "\(padding)"))
      }
      let resource = MarkupElement.Attribute(.rdf("parseType"), "Resource")
      return MarkupElement(
        .rdf("li"), attributes: [resource],
        children: [MarkupElement(name("Container", "Item"), attributes: attributes)])
    }
    return MarkupElement(directory, children: [MarkupElement(.rdf("Seq"), children: entries)])
  }

  /// The XML elements of the items that the directory in an XMP packet lists.
  static func items(in xmp: XMP) -> [MarkupElement] {
    xmp[directory]?.children.flatMap(\.children) ?? []
  }

  /// The length of the film that a packet states; nil if it states none.
  static func statedFilmLength(in xmp: XMP) -> Int? {
    let item = items(in: xmp).first { $0.value("Semantic") == "MotionPhoto" }
    let text = item?.value("Length") ?? xmp.text(camera("MicroVideoOffset"))
    return text.flatMap { Int($0) }
  }
}

extension MarkupElement {
  /// The text of a property of a structure, which is an attribute or an element at any depth.
  func value(_ local: String) -> String? {
    if let known = attributes.first(where: { $0.name.local == local }) { return known.value }
    for child in children {
      if child.name.local == local, !child.text.isEmpty { return child.text }
      if let value = child.value(local) { return value }
    }
    return nil
  }
}
