/// TIFF, for archives and print, 8 or 16 bits, with alpha.
public struct TIFFFormat: OutputFormat {
  public static let name = "tiff"
  public static let summary = "TIFF, for archives and print, 8 or 16 bits."
  public static let fileExtension = "tif"
  public static let longestEdge = 1_000_000
  public static let hasAlpha = true
  public static let holdsInks = true
  public static let settings: [Setting<Self>] = [
    Setting("compression", \.compression, Compression.kind, "All but jpeg lose nothing."),
    Setting("quality", \.quality, .integer(.quality, 1...100), "For jpeg compression."),
    Setting("bitDepth", \.bitDepth, BitDepth.kind, "auto keeps the photo's 8 or 16."),
    Setting(
      "predictor", \.predictor, Predictor.kind,
      "Stores differences of neighbours: smaller with lzw, deflate and zstd."),
    Setting("tile", \.tile, .flag, "Tiles instead of strips."),
    Setting(
      "tileWidth", \.tileWidth, .integer(.pixels, 16...4096), "Of tiles; a multiple of 16."),
    Setting(
      "tileHeight", \.tileHeight, .integer(.pixels, 16...4096), "Of tiles; a multiple of 16."),
    Setting("pyramid", \.pyramid, .flag, "Adds halved copies, down to one tile."),
    Setting(
      "bigtiff", \.bigtiff, .flag,
      "64-bit offsets; left out: where the file may come near 4 GB."),
  ]

  public enum Compression: String, Choice {
    case none, lzw, deflate, zstd, jpeg
  }

  public enum Predictor: String, Choice {
    case none, horizontal
  }

  public var compression = Compression.deflate
  public var quality = 90
  public var bitDepth = BitDepth.auto
  public var predictor = Predictor.horizontal
  public var tile = false
  public var tileWidth = 256
  public var tileHeight = 256
  public var pyramid = false
  public var bigtiff: Bool?

  /// Bytes of pixels from which a file gets 64-bit offsets unasked: 4 GB less what else is in it.
  private static let largestPlain = 4_000_000_000

  public init() {}

  public var saver: String { "tiffsave_target" }

  public var contradiction: Problem? {
    if compression == .jpeg && bitDepth == .sixteen {
      return .contradiction(
        "JPEG compression holds 8 bits", remedy: "use deflate, or a bitDepth of 8")
    }
    for (name, edge) in [("tileWidth", tileWidth), ("tileHeight", tileHeight)]
    where !edge.isMultiple(of: 16) {
      return .contradiction(
        "a \(name) of \(edge) is no multiple of 16", remedy: "use \(edge / 16 * 16 + 16)")
    }
    return nil
  }

  public func bitDepth(forSource depth: Int) -> Int {
    compression == .jpeg ? 8 : bitDepth.bits(forSource: depth)
  }

  public var lossyQuality: Int? { compression == .jpeg ? quality : nil }

  public func with(lossyQuality: Int) -> Self {
    var format = self
    format.quality = lossyQuality
    return format
  }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] {
    // Four channels, and a third more for halved copies.
    let bytes = size.pixels * 4 * (bitDepth / 8) * (pyramid ? 4 : 3) / 3
    return [
      "compression": .choice(compression.rawValue), "Q": .integer(quality),
      "predictor": .choice(predictor.rawValue), "tile": .flag(tile || pyramid),
      "tile-width": .integer(tileWidth), "tile-height": .integer(tileHeight),
      "pyramid": .flag(pyramid), "bigtiff": .flag(bigtiff ?? (bytes >= Self.largestPlain)),
    ]
  }
}
