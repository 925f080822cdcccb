import Notation
import PhotoRecipes

extension XMP {
  /// The properties that describe the photo: texts, keywords, ratings, people, rights and places.
  ///
  /// Programs write them into an XMP file beside the photo if they cannot write, or must not change,
  /// the photo's own file. Such a file also repeats properties of the camera and of the picture, and
  /// has records of the program; these are left out.
  public var describing: XMP {
    var properties = self
    properties.removeAll {
      guard case .group(let group) = XMP.kind(of: $0.name) else { return true }
      return !Self.described.contains(group)
    }
    let rating = MetadataField.rating.property
    if let text = properties.text(rating), !MetadataField.isRating(text) {
      properties.remove(rating)
    }
    return properties
  }

  private static let described: Set<MetadataGroup> = [
    .copyright, .creator, .credit, .title, .description, .keywords, .rating, .gps, .location,
    .people, .contact,
  ]
}

extension Metadata {
  /// Adds a description from an XMP file beside the photo, in place of the photo's own texts.
  ///
  /// Places and coordinates are replaced as a whole, because those of two places must
  /// not be mixed.
  public mutating func add(describing description: XMP) {
    for field in MetadataField.allCases {
      // EXIF and IPTC store a text in one language, the first one.
      let texts = description.texts(field.property).prefix(field.isList ? .max : 1)
      if !texts.isEmpty { set(field, Array(texts)) }
    }
    let properties = description.properties.filter { !$0.text.isEmpty || !$0.children.isEmpty }
    if properties.contains(where: { XMP.kind(of: $0.name) == .group(.location) }) {
      xmp?.removeAll { XMP.kind(of: $0.name) == .group(.location) }
      iptc?.removeAll { IPTC.kind(of: $0) == .group(.location) }
    }
    // IPTC must not state another value than XMP; texts of `MetadataField` were replaced above.
    let replaced = Set(properties.map(\.name)).subtracting(MetadataField.allCases.map(\.property))
    iptc?.removeAll { IPTC.property(of: $0).map(replaced.contains) == true }
    if let coordinates = description.coordinates {
      exif?.removeAll { directory, _ in directory == .gps }
      xmp?.removeAll { XMP.kind(of: $0.name) == .group(.gps) }
      var all = exif ?? EXIF()
      all.set(coordinates)
      exif = all
    }
    var all = xmp ?? XMP()
    for property in properties { all.set(property) }
    xmp = all.isEmpty ? nil : all
  }
}
