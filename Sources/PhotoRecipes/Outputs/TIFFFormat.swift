/// TIFF, for archives and print, 8 or 16 bits, with alpha.
public struct TIFFFormat: OutputFormat {
  public static let name = "tiff"
  public static let summary = "TIFF, for archives and print, 8 or 16 bits."
  public static let fileExtension = "tif"
  public static let longestEdge = 1_000_000
  public static let hasAlpha = true
  public static let saver = "tiffsave_target"
  public static let settings: [Setting<Self>] = [
    Setting("compression", \.compression, Compression.kind, "All but jpeg lose nothing."),
    Setting("quality", \.quality, .integer(.quality, 1...100), "For jpeg compression."),
    Setting("bitDepth", \.bitDepth, BitDepth.kind, "auto keeps the photo's 8 or 16."),
    Setting(
      "predictor", \.predictor, Predictor.kind,
      "Stores differences of neighbours: smaller with lzw, deflate and zstd."),
    Setting("tile", \.tile, .flag, "Tiles of 256 pixels instead of strips."),
    Setting("pyramid", \.pyramid, .flag, "Adds halved copies, down to one tile."),
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
  public var pyramid = false

  public init() {}

  public var contradiction: Problem? {
    if compression == .jpeg && bitDepth == .sixteen {
      return .contradiction(
        "JPEG compression holds 8 bits", remedy: "use deflate, or a bitDepth of 8")
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
    [
      "compression": .choice(compression.rawValue), "Q": .integer(quality),
      "predictor": .choice(predictor.rawValue), "tile": .flag(tile || pyramid),
      "tile-width": .integer(256), "tile-height": .integer(256), "pyramid": .flag(pyramid),
    ]
  }
}
