import TestSupport
import Vips

/// An undamaged photo from which hostile files are made.
struct HostileSeed: Sendable {
  let name: String
  let bytes: [UInt8]

  private struct Kind {
    let name: String
    let saver: String
    var arguments: [String: Argument] = [:]
  }

  /// The size of every undamaged photo in pixels.
  static let size = (width: 64, height: 48)

  private static let kinds = [
    Kind(name: "jpg", saver: "jpegsave_target"),
    Kind(name: "progressive.jpg", saver: "jpegsave_target", arguments: ["interlace": .flag(true)]),
    Kind(name: "png", saver: "pngsave_target"),
    Kind(name: "interlaced.png", saver: "pngsave_target", arguments: ["interlace": .flag(true)]),
    Kind(name: "webp", saver: "webpsave_target"),
    Kind(name: "lossless.webp", saver: "webpsave_target", arguments: ["lossless": .flag(true)]),
    Kind(name: "gif", saver: "gifsave_target"),
    Kind(name: "tiff", saver: "tiffsave_target"),
    Kind(
      name: "tiled.tiff", saver: "tiffsave_target",
      arguments: [
        "tile": .flag(true), "tile-width": .integer(16), "tile-height": .integer(16),
        "compression": .choice("deflate"),
      ]),
    Kind(name: "heic", saver: "heifsave_target"),
    Kind(name: "avif", saver: "heifsave_target", arguments: ["compression": .choice("av1")]),
    Kind(name: "jxl", saver: "jxlsave_target", arguments: ["effort": .integer(3)]),
    Kind(name: "jp2", saver: "jp2ksave_target"),
  ]

  /// One photo of each input format.
  static let all = Result { () throws -> [HostileSeed] in
    let image = try SyntheticPhoto.image(width: size.width, height: size.height)
    return try kinds.map {
      HostileSeed(name: $0.name, bytes: try SyntheticPhoto.bytes(image, $0.saver, $0.arguments))
    }
  }
}
