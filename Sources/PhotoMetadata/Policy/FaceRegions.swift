import Notation
public import PhotoRecipes

extension Metadata {
  /// The faces that the photo's XMP marks as regions, in the photo as stored, before the
  /// orientation is applied.
  ///
  /// A face that several vocabularies mark is contained once. Regions of other things, such as pets
  /// and focus points, and positions without an extent are left out.
  /// - Source: Metadata Working Group, Guidelines 2.0, 5.9; Microsoft, "People Tagging Overview".
  public var faces: [Face] {
    guard let xmp else { return [] }
    let name = { MarkupName(XMPPrefix.byPrefix[$0] ?? $0, $1) }
    let marked = xmp[name("mwg-rs", "Regions")].map(\.regions) ?? []
    let people = xmp[name("MP", "RegionInfo")].map(\.regions) ?? []
    let faces = marked.filter { $0[name("mwg-rs", "Type")] == "Face" } + people
    return faces.reduce(into: []) { found, fields in
      guard let face = Face(fields), !found.contains(where: face.overlaps) else { return }
      found.append(face)
    }
  }
}

extension Face {
  /// The face at the position that a region's fields state; nil if they state no rectangle.
  fileprivate init?(_ fields: [MarkupName: String]) {
    let kind = RegionPosition.kinds.first { !$0.names.isDisjoint(with: fields.keys) }
    guard let area = kind?.area(fields), area.extent.x > 0, area.extent.y > 0 else { return nil }
    self.init(
      left: area.origin.x, top: area.origin.y, width: area.extent.x, height: area.extent.y)
  }
}

extension MarkupElement {
  /// The fields of each region in the element's lists, with the fields of nested structures.
  fileprivate var regions: [[MarkupName: String]] {
    children.flatMap { $0.name == .rdf("li") ? [$0.fields] : $0.regions }
  }

  /// The texts of the element's attributes and of all elements inside it, by name.
  private var fields: [MarkupName: String] {
    let own =
      attributes.map { ($0.name, $0.value.trimmed) }
      + children.map { ($0.name, $0.text.trimmed) }
    let fields = Dictionary(own) { first, _ in first }
    return children.reduce(fields) { $0.merging($1.fields) { first, _ in first } }
  }
}
