public import Notation

/// HEIC: HEVC for still pictures, as on iPhones, by x265; 8, 10 or 12 bits, with alpha.
public struct HEICFormat: OutputFormat {
  public static let name = "heic"
  public static let summary = "HEIC, the format of iPhone photos, for Apple's devices."
  public static let fileExtension = "heic"
  public static let longestEdge = HEIFCoding.longestEdge
  public static let hasAlpha = true
  public static let holdsGainMap = true
  public static let holdsAuxiliaries = true
  public static let holdsHDR = true
  public static let holdsFilm = true
  /// The lowest useful quality; below it, textures become flat areas.
  public static let lowestQuality = 25
  public static let settings: [Setting<Self>] = [
    Setting(
      "quality", \.quality, .integer(.quality, 1...100),
      "Higher gives better quality and a larger file."),
    Setting(
      "lossless", \.lossless, .flag,
      "Lossless: keeps every pixel at the bit depth; few programs can show it."),
    Setting(
      "effort", \.effort, .integer(.effort, 0...9), "Higher gives a smaller file and is slower."),
    Setting(
      "subsampling", \.subsampling, ChromaSubsampling.kind,
      "The colour resolution: full (4:4:4) or reduced; auto is 4:2:0, which all devices can show."),
    Setting(
      "bitDepth", \.bitDepth, DeepBitDepth.kind,
      "The bits per channel; auto is 10 for 16-bit photos, else 8."),
    Setting(
      "tune", \.tune, HEIFCoding.Tune.kind, "The quality measure that the encoder optimizes."),
  ]

  /// The default quality.
  ///
  /// By MS-SSIM, HEIC renditions at this quality are at least as similar to the photo as JPEG
  /// renditions at quality 82, with two thirds of the bytes.
  public var quality = 50
  public var lossless = false
  public var effort = 4
  public var subsampling = ChromaSubsampling.auto
  public var bitDepth = DeepBitDepth.auto
  public var tune = HEIFCoding.Tune.ssim

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
    [
      "compression": .choice("hevc"), "Q": .integer(quality), "lossless": .flag(lossless),
      "effort": .integer(effort), "chroma": .text(subsampling.name(isFull: false)),
      "bitdepth": .integer(self.bitDepth.bits(forSamples: bitDepth)),
      "tune": .text(tune.rawValue),
    ]
  }
}
