public import Notation

/// TIFF for archives and print, 8 or 16 bits, with alpha; or black and white with fax compression.
public struct TIFFFormat: OutputFormat {
  public static let name = "tiff"
  public static let summary = "TIFF, for archives and print, 8 or 16 bits."
  public static let fileExtension = "tif"
  public static let longestEdge = 1_000_000
  public static let hasAlpha = true
  public static let holdsInks = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "compression", \.compression, Compression.kind,
      "jpeg and webp lose some detail, ccittfax4 keeps only black and white, the others are"
        + " lossless."
    ),
    Setting(
      "quality", \.quality, .integer(.quality, 1...100),
      "The quality of jpeg or webp compression."),
    Setting("lossless", \.lossless, .flag, "Makes webp compression lossless."),
    Setting(
      "level", \.level, .integer(.level, 1...19),
      "The level of zstd compression; higher gives a smaller file and is slower."),
    Setting(
      "bitDepth", \.bitDepth, BitDepth.kind,
      "The bits per channel; auto keeps the photo's 8 or 16 bits."),
    Setting(
      "predictor", \.predictor, Predictor.kind,
      "Stores the differences of adjacent pixels; smaller with lzw, deflate and zstd."),
    Setting("tile", \.tile, .flag, "Stores tiles instead of strips."),
    Setting(
      "tileWidth", \.tileWidth, .integer(.pixels, 16...4096),
      "The size of the tiles in this direction; a multiple of 16."),
    Setting(
      "tileHeight", \.tileHeight, .integer(.pixels, 16...4096),
      "The size of the tiles in this direction; a multiple of 16."),
    Setting(
      "pyramid", \.pyramid, .flag,
      "Adds tiled copies at half, a quarter and so on of the size, down to 'depth'."),
    Setting("depth", \.depth, PyramidDepth.kind, "The size of the smallest copy in a pyramid."),
    Setting(
      "subifd", \.subifd, .flag,
      "Stores the copies of a pyramid in sub-directories of the first picture instead of as"
        + " pages."),
    Setting(
      "regionShrink", \.regionShrink, RegionShrink.kind,
      "How a pyramid combines four pixels into one."),
    Setting(
      "miniswhite", \.miniswhite, .flag,
      "Stores white as 0, like faxes; only with ccittfax4 compression."),
    Setting(
      "bigtiff", \.bigtiff, .flag,
      "Uses 64-bit offsets; if left out, only if the file may be close to 4 GB."),
  ]

  public enum Compression: String, Choice {
    case none, lzw, deflate, zstd, packbits, jpeg, webp, ccittfax4
  }

  public enum PyramidDepth: String, Choice {
    case onepixel, onetile, one
  }

  public enum RegionShrink: String, Choice {
    case mean, median, mode, max, min, nearest
  }

  public enum Predictor: String, Choice {
    case none, horizontal
  }

  public var compression = Compression.deflate
  public var quality = 90
  public var lossless = false
  public var level = 10
  public var bitDepth = BitDepth.auto
  public var predictor = Predictor.horizontal
  public var tile = false
  public var tileWidth = 256
  public var tileHeight = 256
  public var pyramid = false
  public var depth = PyramidDepth.onetile
  public var subifd = false
  public var regionShrink = RegionShrink.mean
  public var miniswhite = false
  public var bigtiff: Bool?

  /// The number of bytes of pixels from which a file gets 64-bit offsets by default: 4 GB minus
  /// room for the rest of the file.
  private static let largestPlain = 4_000_000_000

  public init() {}

  public static var plainest: Self? { Self() }

  public var saver: String { "tiffsave_target" }

  public var contradiction: Problem? {
    if !holdsDeepSamples && bitDepth == .sixteen {
      return .contradiction(
        "\(compression.rawValue) compression can only store \(isBilevel ? "1 bit" : "8 bits")",
        remedy: "use deflate, or remove 'bitDepth'")
    }
    if lossless && compression != .webp {
      return .contradiction(
        "'lossless' works only with webp compression",
        remedy: "remove it, or add \"compression\": \"webp\"")
    }
    if miniswhite && !isBilevel {
      return .contradiction(
        "'miniswhite' works only with ccittfax4 compression",
        remedy: "remove it, or add \"compression\": \"ccittfax4\"")
    }
    let isOfPyramid = depth != .onetile || subifd || regionShrink != .mean
    if !pyramid && isOfPyramid {
      return .contradiction(
        "'depth', 'subifd' and 'regionShrink' work only with a pyramid",
        remedy: "add \"pyramid\": true")
    }
    for (name, edge) in [("tileWidth", tileWidth), ("tileHeight", tileHeight)]
    where !edge.isMultiple(of: 16) {
      return .contradiction(
        "the \(name) \(edge) is not a multiple of 16", remedy: "use \(edge / 16 * 16 + 16)")
    }
    return nil
  }

  private var isBilevel: Bool { compression == .ccittfax4 }

  private var holdsDeepSamples: Bool { ![.jpeg, .webp, .ccittfax4].contains(compression) }

  public var keepsAlpha: Bool { !isBilevel && compression != .jpeg }

  /// WebP in TIFF has three or four channels: the colours, with or without alpha.
  public var keepsGrey: Bool { compression != .webp }

  public var keepsInks: Bool { compression != .webp && !isBilevel }

  public var keepsColour: Bool { !isBilevel }

  public func bitDepth(forSource depth: Int) -> Int {
    holdsDeepSamples ? bitDepth.bits(forSource: depth) : 8
  }

  public var lossyQuality: Int? {
    compression == .jpeg || compression == .webp && !lossless ? quality : nil
  }

  public func with(lossyQuality: Int) -> Self {
    var format = self
    format.quality = lossyQuality
    return format
  }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] {
    // The estimated size of the pixels: four channels, and a third more for the reduced copies of a
    // pyramid.
    let bytes = size.pixels * 4 * (bitDepth / 8) * (pyramid ? 4 : 3) / 3
    return [
      "compression": .choice(compression.rawValue), "Q": .integer(quality),
      "lossless": .flag(lossless), "level": .integer(level), "depth": .choice(depth.rawValue),
      "subifd": .flag(subifd), "region-shrink": .choice(regionShrink.rawValue),
      "bitdepth": .integer(isBilevel ? 1 : 0), "miniswhite": .flag(miniswhite),
      "predictor": .choice(predictor.rawValue), "tile": .flag(tile || pyramid),
      "tile-width": .integer(tileWidth), "tile-height": .integer(tileHeight),
      "pyramid": .flag(pyramid), "bigtiff": .flag(bigtiff ?? (bytes >= Self.largestPlain)),
    ]
  }
}
