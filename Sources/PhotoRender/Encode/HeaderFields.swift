import Vips

/// The header fields that libvips writes into a rendition: those that say how pixels are stored.
///
/// Metadata are put into the finished file: libvips 8.14 has no place for some in PNG, TIFF, JPEG XL
/// and GIF, and writes a block of its own where there are none.
enum HeaderFields {
  /// The changes to an image's fields that leave no metadata, and embed `profile` if there is one.
  ///
  /// `codePoints` are put where libvips has them from 8.19 on.
  static func changes(
    of image: Image, profile: [UInt8]?, _ codePoints: OutputColour.CodePoints?
  ) -> [String: Vips.Field?] {
    var changes: [String: Vips.Field?] = [:]
    for name in image.metadataNames where !kept.contains(name) {
      changes.updateValue(nil, forKey: name)
    }
    changes.updateValue(profile.map(Vips.Field.blob), forKey: "icc-profile-data")
    changes["cicp-colour-primaries"] = codePoints.map { .integer($0.primaries) }
    changes["cicp-transfer-characteristics"] = codePoints.map { .integer($0.transfer) }
    changes["orientation"] = .integer(1)
    return changes
  }

  private static let kept = ["resolution-unit", "icc-profile-data", "concurrency"]
}
