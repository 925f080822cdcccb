/// PNG, lossless, 8 or 16 bits, with alpha.
public struct PNGFormat: OutputFormat {
  public static let name = "png"
  public static let summary = "PNG, lossless, with alpha, 8 or 16 bits."
  public static let fileExtension = "png"
  public static let longestEdge = 1_000_000
  public static let hasAlpha = true
  public static let settings: [Setting<Self>] = [
    Setting("compression", \.compression, .integer(.level, 0...9), "Higher is smaller and slower."),
    Setting("bitDepth", \.bitDepth, BitDepth.kind, "auto keeps the photo's 8 or 16."),
    Setting("interlace", \.interlace, .flag, "Shows a coarse picture first; larger."),
  ]

  public var compression = 6
  public var bitDepth = BitDepth.auto
  public var interlace = false

  /// The most bytes of pixels that are compressed as a whole, which is faster and takes up to twice
  /// as many bytes of memory: 32 megapixels of RGB.
  public static let wholeBytes = 96 << 20

  public init() {}

  public var saver: String { interlace ? "pngsave_target" : "phbatch_pngsave" }

  public func bitDepth(forSource depth: Int) -> Int { bitDepth.bits(forSource: depth) }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] {
    let level = EncoderArgument.integer(compression)
    if !interlace { return ["compression": level, "whole": .integer(Self.wholeBytes)] }
    return [
      "compression": level, "interlace": .flag(true), "bitdepth": .integer(bitDepth),
      "palette": .flag(false),
    ]
  }
}

/// Bits a channel of a format that can hold 8 or 16.
public enum BitDepth: String, Choice {
  case auto
  case eight = "8"
  case sixteen = "16"

  func bits(forSource depth: Int) -> Int {
    switch self {
    case .auto: depth > 8 ? 16 : 8
    case .eight: 8
    case .sixteen: 16
    }
  }
}
