import Notation
import PhotoRecipes

/// People, places, coordinates and contact data in structures about something else, for example in
/// the XMP of other photos in the history of a composite, or the address of a licensor.
extension Curation {
  /// The property without the nested people, places, coordinates and contact data that the policy
  /// drops.
  func withoutDeniedParts(_ property: MarkupElement) -> MarkupElement {
    removingDenied(from: property, within: XMP.kind(of: property.name))
  }

  /// The nested people, places, coordinates and contact data of a property that the policy drops.
  func deniedParts(of property: MarkupElement) -> [MarkupElement] {
    denied(in: property, within: XMP.kind(of: property.name))
  }

  /// True for a nested name that the policy drops.
  ///
  /// False for a name of the same subject as the outer property, because it is kept or dropped with
  /// that property.
  private func isDenied(_ name: MarkupName, within outer: MetadataKind) -> Bool {
    let kind = XMP.kind(of: name)
    guard kind != outer, case .group(let group) = kind,
      [.people, .location, .gps, .contact].contains(group)
    else { return false }
    return !keeps(MarkupElement(name))
  }

  private func removingDenied(
    from element: MarkupElement, within outer: MetadataKind
  ) -> MarkupElement {
    MarkupElement(
      element.name, attributes: element.attributes.filter { !isDenied($0.name, within: outer) },
      children: element.children.filter { !isDenied($0.name, within: outer) }
        .map { removingDenied(from: $0, within: outer) },
      text: element.text)
  }

  private func denied(in element: MarkupElement, within outer: MetadataKind) -> [MarkupElement] {
    let attributes = element.attributes.filter { isDenied($0.name, within: outer) }
      .map { MarkupElement($0.name, text: $0.value) }
    return attributes
      + element.children.flatMap { child in
        isDenied(child.name, within: outer) ? [child] : denied(in: child, within: outer)
      }
  }
}
