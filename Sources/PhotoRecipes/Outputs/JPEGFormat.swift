/// JPEG, baseline or progressive, by libjpeg-turbo.
public struct JPEGFormat: OutputFormat {
  public static let name = "jpeg"
  public static let summary = "JPEG, for photos everywhere."
  public static let fileExtension = "jpg"
  public static let longestEdge = 65_500
  public static let hasAlpha = false
  public static let settings: [Setting<Self>] = [
    Setting("quality", \.quality, .integer(.quality, 1...100), "Higher is better and larger."),
    Setting(
      "subsampling", \.subsampling, Subsampling.kind,
      "Colour at full (4:4:4) or half (4:2:0) resolution; auto is full from quality 90."),
    Setting("progressive", \.progressive, .flag, "Shows a coarse picture first; often smaller."),
    Setting(
      "optimize", \.optimize, .flag,
      "Fits the entropy coder's tables to the photo; left out: up to 8 megapixels."),
  ]

  public enum Subsampling: String, Choice {
    case auto
    case full = "4:4:4"
    case half = "4:2:0"
  }

  public var quality = 82
  public var subsampling = Subsampling.auto
  public var progressive = false
  /// Saves some 3 % of the bytes; keeps 3 bytes of a pixel in memory.
  public var optimize: Bool?

  /// The largest photo in pixels whose tables are fitted unasked.
  static let fittedPixels = 8_000_000

  public init() {}

  public var saver: String { "jpegsave_target" }

  public var lossyQuality: Int? { quality }

  public func with(lossyQuality: Int) -> Self {
    var format = self
    format.quality = lossyQuality
    return format
  }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] {
    let subsample =
      switch subsampling {
      case .auto: "auto"
      case .full: "off"
      case .half: "on"
      }
    return [
      "Q": .integer(quality), "subsample-mode": .choice(subsample),
      "interlace": .flag(progressive),
      "optimize-coding": .flag(optimize ?? (size.pixels <= Self.fittedPixels)),
    ]
  }
}
