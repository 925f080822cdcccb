/// JPEG, baseline or progressive, by libjpeg-turbo.
public struct JPEGFormat: OutputFormat {
  public static let name = "jpeg"
  public static let summary = "JPEG, for photos everywhere."
  public static let fileExtension = "jpg"
  public static let longestEdge = 65_500
  public static let hasAlpha = false
  public static let holdsInks = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "quality", \.quality, JPEGQuality.kind,
      "Higher is better and larger; source is that of a JPEG photo, and of others the default."),
    Setting(
      "subsampling", \.subsampling, Subsampling.kind,
      "Colour at full resolution (4:4:4), at half of it across (4:2:2) or both ways (4:2:0); auto is"
        + " full from quality 90, else half, and with a quality of source as the photo has it."),
    Setting("progressive", \.progressive, .flag, "Shows a coarse picture first; often smaller."),
    Setting(
      "optimize", \.optimize, .flag,
      "Fits the entropy coder's tables to the photo; left out: up to 8 megapixels."),
    Setting(
      "restartInterval", \.restartInterval, .integer(.level, 0...65_535),
      "Blocks between markers at which a damaged file can be read on; 0 is without."),
  ]

  public enum Subsampling: String, Choice {
    case auto
    case full = "4:4:4"
    case wide = "4:2:2"
    case half = "4:2:0"
  }

  public var quality = JPEGQuality.level(usualQuality)
  public var subsampling = Subsampling.auto
  public var progressive = false
  /// True to fit the Huffman tables: it saves about 3 % of the bytes, and needs 3 bytes of memory
  /// per pixel. Nil to decide by the photo's size.
  public var optimize: Bool?
  /// The number of minimum coded units between restart markers. A unit is 8 × 8 pixels, or 16 × 16
  /// if colour has half the resolution.
  public var restartInterval = 0

  private static let usualQuality = 82
  /// The quality from which colour is kept at full resolution by default.
  private static let fineQuality = 90
  /// The maximum number of pixels of a photo for which tables are fitted by default.
  static let fittedPixels = 8_000_000

  public init() {}

  public var saver: String { "phbatch_jpegsave" }

  /// The quality; for `source` the upper limit, 100, because the photo's own quality is not yet
  /// known.
  public var lossyQuality: Int? { quality.level ?? 100 }

  public func with(lossyQuality: Int) -> Self {
    var format = self
    format.quality = .level(lossyQuality)
    return format
  }

  public var dependsOnPhoto: Bool { quality == .source }

  public func matching(_ photo: JPEGCoding?) -> Self {
    if !dependsOnPhoto { return self }
    var format = self
    format.quality = .level(photo?.quality ?? Self.usualQuality)
    if let photo, subsampling == .auto { format.subsampling = photo.subsampling }
    return format
  }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] {
    let level = quality.level ?? Self.usualQuality
    let (columns, rows) =
      switch subsampling {
      case .auto: level < Self.fineQuality ? (2, 2) : (1, 1)
      case .full: (1, 1)
      case .wide: (2, 1)
      case .half: (2, 2)
      }
    return [
      "Q": .integer(level), "columns": .integer(columns), "rows": .integer(rows),
      "interlace": .flag(progressive), "restart-interval": .integer(restartInterval),
      "optimize-coding": .flag(optimize ?? (size.pixels <= Self.fittedPixels)),
    ]
  }
}
