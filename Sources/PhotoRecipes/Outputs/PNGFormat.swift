public import Notation

/// PNG, lossless, 8 or 16 bits, or a palette of up to 256 colours, with alpha.
public struct PNGFormat: OutputFormat {
  public static let name = "png"
  public static let summary = "PNG, lossless, with alpha, 8 or 16 bits."
  public static let fileExtension = "png"
  public static let longestEdge = 1_000_000
  public static let hasAlpha = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "compression", \.compression, .integer(.level, 0...9),
      "Higher gives a smaller file and is slower."),
    Setting(
      "bitDepth", \.bitDepth, BitDepth.kind,
      "The bits per channel; auto keeps the photo's 8 or 16 bits."),
    Setting("interlace", \.interlace, .flag, "Browsers show a coarse picture first; larger."),
    Setting(
      "palette", \.palette, .flag, "Stores up to 256 colours; much smaller for drawings."),
    Setting(
      "colours", \.colours, .integer(.level, 2...256),
      "The maximum number of colours of a palette, rounded up to 2, 4, 16 or 256."),
    Setting(
      "errorDiffusion", \.errorDiffusion, .number(.strength, 0...1),
      "The strength of dithering with a palette, which hides steps between colours; 0 gives a"
        + " smaller file."
    ),
    Setting(
      "quality", \.quality, .integer(.quality, 1...100),
      "The quality of a palette; below 100, only as many colours as this quality needs."),
    Setting(
      "effort", \.effort, .integer(.effort, 1...10),
      "Higher finds a better palette and is slower."),
  ]

  public var compression = 6
  public var bitDepth = BitDepth.auto
  public var interlace = false
  public var palette = false
  public var colours = 256
  public var errorDiffusion = 1.0
  public var quality = 100
  public var effort = 7

  /// The maximum number of bytes of pixels that are compressed as a whole: 32 megapixels of RGB.
  ///
  /// Compression as a whole is faster, but needs up to twice as many bytes of memory as the pixels.
  public static let wholeBytes = 96 << 20

  public init() {}

  public static var plainest: Self? { Self() }

  public var saver: String { interlace || palette ? "pngsave_target" : "phbatch_pngsave" }

  public var contradiction: Problem? {
    if palette && bitDepth == .sixteen {
      return .contradiction(
        "a palette has at most 8 bits", remedy: "remove 'bitDepth' or 'palette'")
    }
    let usual = Self()
    let isOfPalette =
      colours != usual.colours || errorDiffusion != usual.errorDiffusion || quality != usual.quality
      || effort != usual.effort
    guard !palette && isOfPalette else { return nil }
    return .contradiction(
      "'colours', 'errorDiffusion', 'quality' and 'effort' work only with a palette",
      remedy: "add \"palette\": true")
  }

  public var hasPalette: Bool { palette }

  /// False with a palette: its colours are RGB, and libpng refuses a grey profile for them.
  public var keepsGrey: Bool { !palette }

  public var lossyQuality: Int? { palette ? quality : nil }

  public func with(lossyQuality: Int) -> Self {
    var format = self
    format.quality = lossyQuality
    return format
  }

  public func bitDepth(forSource depth: Int) -> Int {
    palette ? 8 : bitDepth.bits(forSource: depth)
  }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] {
    let level = EncoderArgument.integer(compression)
    if palette {
      let bits = [1, 2, 4].first { 1 << $0 >= colours } ?? 8
      return [
        "compression": level, "interlace": .flag(interlace), "palette": .flag(true),
        "bitdepth": .integer(bits), "dither": .number(errorDiffusion), "Q": .integer(quality),
        "effort": .integer(effort),
      ]
    }
    if !interlace { return ["compression": level, "whole": .integer(Self.wholeBytes)] }
    return [
      "compression": level, "interlace": .flag(true), "bitdepth": .integer(bitDepth),
      "palette": .flag(false),
    ]
  }
}

/// The bits per channel of a format that supports 8 or 16.
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
