/// DeepZoom: the photo as tiles, at full size, half size, and so on down to one pixel, for viewers
/// that load only the visible tiles.
///
/// All tiles are in one file, an SZI: a ZIP archive that stores tiles uncompressed. phbatch can
/// thus publish, move and undo it like any other rendition. `unzip` converts it to a folder for a
/// web server.
///
/// - Source: smart in media, SZI format description, 2018-11-24; Microsoft, DeepZoom schema.
public struct DeepZoomFormat: OutputFormat {
  public static let name = "dzi"
  public static let summary = "DeepZoom: a photo as tiles for zooming, in one .szi file."
  public static let fileExtension = "szi"
  public static let longestEdge = 1_000_000
  public static let hasAlpha = false
  public static let holdsGrey = false
  public static let isPhoto = false
  /// Tiles in sRGB have no embedded profile, because the profile would be a third of the bytes of
  /// each of thousands of tiles.
  public static let tellsSRGB = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "tileSize", \.tileSize, .integer(.pixels, 64...4096),
      "The edge of a tile, without the overlap."),
    Setting(
      "overlap", \.overlap, .integer(.pixels, 0...64),
      "The overlap of a tile with its neighbours."),
    Setting("suffix", \.suffix, Suffix.kind, "The format of the tiles."),
    Setting("quality", \.quality, .integer(.quality, 1...100), "The quality of jpg or webp tiles."),
  ]

  public enum Suffix: String, Choice {
    case jpg, png, webp
  }

  public var tileSize = 254
  public var overlap = 1
  public var suffix = Suffix.jpg
  public var quality = 82

  public init() {}

  public var saver: String { "phbatch_dzsave" }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] {
    [
      "tile-size": .integer(tileSize), "overlap": .integer(overlap),
      "suffix": .text(suffix.rawValue), "Q": .integer(quality),
    ]
  }
}
