import Vips

/// The header fields that libvips writes into a rendition: those that say how pixels are stored.
///
/// Metadata are put into the finished file: libvips 8.14 has no place for some in PNG, TIFF, JPEG XL
/// and GIF, and writes a block of its own where there are none.
enum HeaderFields {
  /// The changes to an image's fields that leave no metadata, and embed `profile`.
  static func changes(of image: Image, profile: [UInt8]) -> [String: Vips.Field?] {
    var changes: [String: Vips.Field?] = [:]
    let isAnimated = image.integer("page-height").map { $0 < image.height } ?? false
    let kept = kept + (isAnimated ? framing : [])
    for name in image.metadataNames where !kept.contains(name) {
      changes.updateValue(nil, forKey: name)
    }
    changes["icc-profile-data"] = .blob(profile)
    changes["orientation"] = .integer(1)
    return changes
  }

  /// Of the frames of an animation.
  private static let framing = ["page-height", "n-pages", "delay", "loop"]
  private static let kept = ["resolution-unit", "icc-profile-data", "concurrency"]
}
