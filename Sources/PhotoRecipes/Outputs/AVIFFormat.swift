public import Notation

/// AVIF: AV1 for still pictures, by libaom; 8, 10 or 12 bits, with alpha.
public struct AVIFFormat: OutputFormat {
  public static let name = "avif"
  public static let summary = "AVIF, for the web: smaller than WebP, slow to write, with alpha."
  public static let fileExtension = "avif"
  public static let longestEdge = HEIFCoding.longestEdge
  public static let hasAlpha = true
  public static let holdsGainMap = true
  public static let holdsAuxiliaries = true
  public static let holdsHDR = true
  public static let tellsSRGB = true
  /// The lowest useful quality; below it, textures become flat areas.
  public static let lowestQuality = 25
  public static let settings: [Setting<Self>] = [
    Setting(
      "quality", \.quality, .integer(.quality, 1...100),
      "Higher gives better quality and a larger file."),
    Setting(
      "lossless", \.lossless, .flag, "Lossless: keeps every pixel at the bit depth; much larger."),
    Setting(
      "effort", \.effort, .integer(.effort, 0...9), "Higher gives a smaller file and is slower."),
    Setting(
      "subsampling", \.subsampling, ChromaSubsampling.kind,
      "The colour resolution: full (4:4:4) or reduced; auto is full from quality 80."),
    Setting(
      "bitDepth", \.bitDepth, DeepBitDepth.kind,
      "The bits per channel; auto is 10 for 16-bit photos, else 8."),
    Setting(
      "alphaQuality", \.alphaQuality, .integer(.quality, 1...100),
      "The quality of the alpha channel."),
    Setting(
      "tune", \.tune, HEIFCoding.Tune.kind, "The quality measure that the encoder optimizes."),
  ]

  /// The default quality.
  ///
  /// By MS-SSIM, AVIF renditions at this quality are at least as similar to the photo as WebP
  /// renditions at quality 80, with two thirds of the bytes.
  public var quality = 60
  public var lossless = false
  public var effort = 4
  public var subsampling = ChromaSubsampling.auto
  public var bitDepth = DeepBitDepth.auto
  public var alphaQuality = 100
  public var tune = HEIFCoding.Tune.ssim

  /// The quality from which `auto` keeps colour at full resolution.
  private static let fullColourQuality = 80

  public init() {}

  public static var plainest: Self? {
    var format = Self()
    format.lossless = true
    return format
  }

  public var saver: String { HEIFCoding.saver }

  public var contradiction: Problem? {
    HEIFCoding.contradiction(lossless: lossless, subsampling)
  }

  public var lossyQuality: Int? { lossless ? nil : quality }

  public func with(lossyQuality: Int) -> Self {
    var format = self
    format.quality = lossyQuality
    return format
  }

  public func bitDepth(forSource depth: Int) -> Int { bitDepth.sampleBits(forSource: depth) }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] {
    let chroma = subsampling.name(isFull: quality >= Self.fullColourQuality)
    return [
      "compression": .choice("av1"), "Q": .integer(quality), "lossless": .flag(lossless),
      "effort": .integer(effort), "chroma": .text(chroma),
      "bitdepth": .integer(self.bitDepth.bits(forSamples: bitDepth)),
      "alpha-q": .integer(alphaQuality), "tune": .text(tune.rawValue),
    ]
  }
}
