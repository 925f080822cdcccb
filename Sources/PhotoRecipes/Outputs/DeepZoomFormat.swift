/// DeepZoom: the photo in tiles, at its size, at half of it, and so on to one pixel, for viewers that
/// load what they show.
///
/// All of it is one file, a ZIP archive that stores tiles as they are: an SZI, so that it is
/// published, moved and undone as every rendition is. `unzip` makes the folder of a web server of it.
///
/// - Source: smart in media, SZI format description, 2018-11-24; Microsoft, DeepZoom schema.
public struct DeepZoomFormat: OutputFormat {
  public static let name = "dzi"
  public static let summary = "DeepZoom, a photo in tiles to zoom into, as one .szi file."
  public static let fileExtension = "szi"
  public static let longestEdge = 1_000_000
  public static let hasAlpha = false
  public static let holdsGrey = false
  public static let isPhoto = false
  /// In every one of thousands of tiles, a profile would be a third of the bytes.
  public static let tellsSRGB = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "tileSize", \.tileSize, .integer(.pixels, 64...4096), "Of a tile, without what it overlaps."),
    Setting(
      "overlap", \.overlap, .integer(.pixels, 0...64), "What a tile has of its neighbours."),
    Setting("suffix", \.suffix, Suffix.kind, "The format of the tiles."),
    Setting("quality", \.quality, .integer(.quality, 1...100), "Of tiles that are jpg or webp."),
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
