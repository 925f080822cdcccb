/// PNG, lossless, 8 or 16 bits, with alpha.
public struct PNGFormat: OutputFormat {
  public static let name = "png"
  public static let summary = "PNG, lossless, with alpha, 8 or 16 bits."
  public static let fileExtension = "png"
  public static let longestEdge = 1_000_000
  public static let hasAlpha = true
  public static let saver = "pngsave_target"
  public static let settings: [Setting<Self>] = [
    Setting("compression", \.compression, .integer(.level, 0...9), "Higher is smaller and slower."),
    Setting("bitDepth", \.bitDepth, BitDepth.kind, "auto keeps the photo's 8 or 16."),
    Setting("interlace", \.interlace, .flag, "Shows a coarse picture first; larger."),
  ]

  public var compression = 6
  public var bitDepth = BitDepth.auto
  public var interlace = false

  public init() {}

  public func bitDepth(forSource depth: Int) -> Int { bitDepth.bits(forSource: depth) }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] {
    [
      "compression": .integer(compression), "interlace": .flag(interlace),
      "bitdepth": .integer(bitDepth), "palette": .flag(false),
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
