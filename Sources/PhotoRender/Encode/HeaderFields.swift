import Vips

/// The header fields that libvips writes into a rendition: those that say how pixels are stored.
///
/// Metadata are put into the finished file: libvips 8.14 has no place for some in PNG, TIFF, JPEG XL
/// and GIF, and writes a block of its own where there are none.
enum HeaderFields {
  /// The changes to an image's fields that leave no metadata, and embed `profile`.
  static func changes(of image: Image, profile: [UInt8]) -> [String: Vips.Field?] {
    var changes: [String: Vips.Field?] = [:]
    for name in image.metadataNames where !kept.contains(name) {
      changes.updateValue(nil, forKey: name)
    }
    changes["icc-profile-data"] = .blob(profile)
    changes["orientation"] = .integer(1)
    return changes
  }

  private static let kept = ["resolution-unit", "icc-profile-data", "concurrency"]
}
