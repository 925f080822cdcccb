import PhotoRecipes

extension EXIF {
  /// Takes small pictures out of what cameras say for themselves.
  mutating func removePictures() {
    guard let note = self[.makerNote] else { return }
    let bytes = MakerNote.withoutPictures(note.bytes)
    if bytes != note.bytes {
      set(Entry(tag: note.tag, type: note.type, bytes: bytes), in: EXIFTag.makerNote.directory)
    }
  }
}

extension XMP {
  /// Takes thumbnails out of properties that hold the XMP of other files, such as the parts that a
  /// picture was made of.
  mutating func removeNestedThumbnails() {
    for property in properties where property.holdsThumbnail { set(property.withoutThumbnails) }
  }
}

extension MarkupElement {
  /// - Source: XMP Specification part 2, 2016, 1.2.2.3 (Thumbnail).
  private static func isThumbnail(_ name: MarkupName) -> Bool {
    name.namespace == thumbnails || name == .xmp("Thumbnails")
  }

  private static let thumbnails = "http://ns.adobe.com/xap/1.0/g/img/"

  fileprivate var holdsThumbnail: Bool {
    attributes.contains { Self.isThumbnail($0.name) }
      || children.contains { Self.isThumbnail($0.name) || $0.holdsThumbnail }
  }

  fileprivate var withoutThumbnails: MarkupElement {
    MarkupElement(
      name, attributes: attributes.filter { !Self.isThumbnail($0.name) },
      children: children.filter { !Self.isThumbnail($0.name) }.map(\.withoutThumbnails), text: text)
  }
}
