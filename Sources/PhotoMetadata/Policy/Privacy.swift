import Notation
import PhotoRecipes

extension Metadata {
  /// Rounds coordinates to a grid, and removes all other data of the GPS group.
  mutating func roundCoordinates(kilometres: Double) {
    let known = exif?.coordinates ?? xmp?.coordinates
    let hadExif = exif?[.gps].isEmpty == false
    let hadXMP = xmp?.properties.contains { XMP.kind(of: $0.name) == .group(.gps) } == true
    exif?.removeAll { directory, _ in directory == .gps }
    xmp?.removeAll { XMP.kind(of: $0.name) == .group(.gps) }
    xmp?.removeNestedCoordinates()
    guard let rounded = known?.rounded(kilometres: kilometres) else { return }
    if hadExif { exif?.set(rounded) }
    if hadXMP { xmp?.set(rounded) }
  }
}

extension XMP {
  /// Removes thumbnails from properties that contain the XMP of other files, such as the
  /// ingredients of a composite.
  mutating func removeNestedThumbnails() {
    replaceAll(\.withoutThumbnails)
  }
}

extension MarkupElement {
  /// True if a property of this name is a thumbnail.
  ///
  /// - Source: XMP Specification part 2, 2016, 1.2.2.3 (Thumbnail).
  private static func isThumbnail(_ name: MarkupName) -> Bool {
    name.namespace == thumbnails || name == .xmp("Thumbnails")
  }

  private static let thumbnails = "http://ns.adobe.com/xap/1.0/g/img/"

  fileprivate var withoutThumbnails: MarkupElement {
    MarkupElement(
      name, attributes: attributes.filter { !Self.isThumbnail($0.name) },
      children: children.filter { !Self.isThumbnail($0.name) }.map(\.withoutThumbnails), text: text)
  }
}
