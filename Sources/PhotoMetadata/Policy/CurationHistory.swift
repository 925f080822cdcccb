import Notation
import PhotoRecipes

extension Curation {
  /// Records the original, the recipe and the program, if the policy keeps both history and
  /// software.
  ///
  /// No time is recorded, so that the same original and recipe give the same bytes.
  /// - Source: XMP Specification part 2, 1.2.2 (xmpMM), 1.2.6 (ResourceEvent, ResourceRef).
  func recordHistory(_ metadata: inout Metadata) {
    guard policy.keeps(.history), policy.keeps(.software), !facts.recipe.isEmpty else {
      return recordMark(&metadata)
    }
    var xmp = metadata.xmp ?? XMP()
    xmp.set(.xmp("CreatorTool"), text: facts.software)
    let document = xmp.text(.history("DocumentID"))
    var from: [MarkupElement] = []
    func add(_ name: String, _ text: String?, to list: inout [MarkupElement], of type: String) {
      guard let text, !text.isEmpty else { return }
      list.append(MarkupElement(MarkupName(XMPPrefix.byPrefix[type] ?? "", name), text: text))
    }
    add("documentID", document, to: &from, of: "stRef")
    add("instanceID", xmp.text(.history("InstanceID")), to: &from, of: "stRef")
    add("filePath", facts.original, to: &from, of: "stRef")
    add("originalDocumentID", mark, to: &from, of: "stRef")
    if xmp[.history("OriginalDocumentID")] == nil, let document {
      xmp.set(.history("OriginalDocumentID"), text: document)
    }
    // The rendition is a new document, so the original's identifier does not apply.
    xmp.remove(.history("DocumentID"))
    xmp.remove(.history("InstanceID"))
    if !from.isEmpty {
      xmp.set(Self.structure(.history("DerivedFrom"), from))
    }
    var event: [MarkupElement] = []
    add("action", "derived", to: &event, of: "stEvt")
    add("parameters", "recipe \(facts.recipe)", to: &event, of: "stEvt")
    add("softwareAgent", facts.software, to: &event, of: "stEvt")
    let list = xmp[.history("History")]?.child(.rdf("Seq"))
    let events = (list?.children ?? []) + [Self.structure(.rdf("li"), event)]
    let history = MarkupElement(.rdf("Seq"), children: events)
    xmp.set(MarkupElement(.history("History"), children: [history]))
    // Removes those recorded properties that the policy drops by name.
    xmp.removeAll { !keeps($0) && Self.recorded.contains($0.name) }
    metadata.xmp = xmp
  }

  private var mark: String? { facts.originalDigest.flatMap { RenditionMark.text($0, policy) } }

  /// Records only the mark, as an identifier in `xmpMM:DerivedFrom`.
  private func recordMark(_ metadata: inout Metadata) {
    guard let mark else { return }
    var xmp = metadata.xmp ?? XMP()
    xmp.set(RenditionMark.property(mark))
    metadata.xmp = xmp
  }

  private static let recorded: [MarkupName] =
    [.xmp("CreatorTool")]
    + ["OriginalDocumentID", "DerivedFrom", "History"].map { MarkupName.history($0) }

  private static func structure(_ name: MarkupName, _ fields: [MarkupElement]) -> MarkupElement {
    let kind = MarkupElement.Attribute(.rdf("parseType"), "Resource")
    return MarkupElement(name, attributes: [kind], children: fields)
  }
}
