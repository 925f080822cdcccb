import PhotoMetadata
import PhotoRecipes
import Vips

/// The header fields that libvips writes into a rendition: fields that describe the storage of
/// pixels.
///
/// Metadata are added to the finished file instead. libvips 8.14 cannot write some metadata to PNG,
/// TIFF, JPEG XL and GIF, and writes a metadata block of its own if the image has none.
enum HeaderFields {
  /// The changes to an image's fields that remove all metadata, and embed `profile` if it is not
  /// nil.
  ///
  /// The heights and times of an animation's frames are kept if the format can store frames
  /// (`holdsFrames`). `codePoints` are set in fields that libvips has from version 8.19 on.
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

  /// The changes that give an animation the timing of an output.
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
  /// The number of vertically stacked frames of an animation; 1 for other images.
  var frames: Int {
    guard let edge = integer("page-height"), edge > 0, height % edge == 0 else { return 1 }
    return height / edge
  }
}
