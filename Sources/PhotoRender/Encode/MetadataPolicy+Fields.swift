import Foundation
import PhotoRecipes
import Vips

extension MetadataPolicy {
  /// The changes to an image's header fields that leave what this policy keeps, and embed `profile`;
  /// EXIF has a tag of its own for whether that is sRGB.
  func fields(of image: Image, profile: [UInt8], isSRGB: Bool) -> [String: Vips.Field?] {
    var changes: [String: Vips.Field?] = [:]
    for name in image.metadataNames where !keeps(name) { changes.updateValue(nil, forKey: name) }
    changes["icc-profile-data"] = .blob(profile)
    changes["orientation"] = .integer(1)
    let code = isSRGB ? "1 (sRGB" : "65535 (Uncalibrated"
    changes["exif-ifd2-ColorSpace"] = .text("\(code), Short, 1 components, 2 bytes)")
    if self == .web {
      for name in Self.credits { changes[name] = image.text(name).map { .text(Self.credit($0)) } }
    }
    return changes
  }

  /// Whether a header field of libvips may go into a rendition.
  private func keeps(_ name: String) -> Bool {
    if Self.stale.contains(name) { return false }
    if Self.structural.contains(name) { return true }
    switch self {
    // The tags of a thumbnail that is gone.
    case .all: return !name.hasPrefix("exif-ifd1-")
    case .web: return Self.credits.contains(name)
    case .none: return false
    }
  }

  private static let credits = ["exif-ifd0-Copyright", "exif-ifd0-Artist"]

  /// A tag's text as it goes back into EXIF.
  ///
  /// libvips gives `Ada (Ada, ASCII, 4 components, 4 bytes)`, with a NUL among the four, and drops
  /// all from the last parenthesis when it writes.
  private static func credit(_ field: String) -> String {
    let facts = field.components(separatedBy: ", ASCII, ").last ?? ""
    guard let count = facts.split(separator: " ").first.flatMap({ Int($0) }) else { return field }
    return String(decoding: field.utf8.prefix(max(0, count - 1)), as: UTF8.self) + " (ASCII)"
  }

  /// Fields that say how pixels are stored or shown.
  private static let structural = ["resolution-unit", "icc-profile-data", "concurrency"]

  /// Fields that a new picture makes false: the thumbnail, the pages, the loader's own.
  private static let stale = [
    "jpeg-thumbnail-data", "n-pages", "page-height", "n-subifds", "loop", "delay", "gif-delay",
    "gif-loop", "gif-palette", "palette-bit-depth", "interlaced", "jpeg-multiscan",
    "jpeg-chroma-subsample", "bits-per-sample", "background", "heif-primary", "heif-compression",
    "heif-bitdepth", "vips-loader", "vips-sequential",
  ]
}
