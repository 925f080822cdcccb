import PhotoMetadata
import PhotoRecipes
import Vips

/// The header fields that libvips writes into a rendition: those about the storage of pixels.
///
/// Metadata are put into the finished file: libvips 8.14 has no place for some in PNG, TIFF, JPEG
/// XL and GIF, and writes a block of its own where there are none.
enum HeaderFields {
  /// The changes to an image's fields that leave no metadata, and embed `profile` if there is one.
  ///
  /// The heights and times of an animation's frames stay if the file `holdsFrames`. `codePoints`
  /// are set in the fields that libvips has from 8.19 on.
  static func changes(
    of image: Image, profile: [UInt8]?, _ codePoints: CodePoints?, holdsFrames: Bool
  ) -> [String: Vips.Field?] {
    var changes: [String: Vips.Field?] = [:]
    let kept = holdsFrames && image.frames > 1 ? always + ofFrames : always
    for name in image.metadataNames where !kept.contains(name) {
      changes.updateValue(nil, forKey: name)
    }
    changes.updateValue(profile.map(Vips.Field.blob), forKey: "icc-profile-data")
    changes["cicp-colour-primaries"] = codePoints.map { .integer($0.primaries) }
    changes["cicp-transfer-characteristics"] = codePoints.map { .integer($0.transfer) }
    changes["orientation"] = .integer(1)
    return changes
  }

  /// The changes that let an animation run as an output says.
  static func changes(of image: Image, _ timing: FrameTiming) -> [String: Vips.Field?] {
    guard image.frames > 1 else { return [:] }
    var changes: [String: Vips.Field?] = [:]
    if let loop = timing.loop { changes["loop"] = .integer(loop) }
    if let delay = timing.delay {
      changes["delay"] = .integers(Array(repeating: delay, count: image.frames))
    }
    return changes
  }

  private static let always = ["resolution-unit", "icc-profile-data", "concurrency"]
  private static let ofFrames = ["page-height", "n-pages", "delay", "loop"]
}

extension Image {
  /// The number of frames of an animation that stand below one another.
  var frames: Int {
    guard let edge = integer("page-height"), edge > 0, height % edge == 0 else { return 1 }
    return height / edge
  }
}
