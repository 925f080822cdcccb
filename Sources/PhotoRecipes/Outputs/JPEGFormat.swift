public import Notation

/// JPEG, baseline or progressive, by libjpeg-turbo.
public struct JPEGFormat: OutputFormat {
  public static let name = "jpeg"
  public static let summary = "JPEG, for photos; every program can show it."
  public static let fileExtension = "jpg"
  public static let longestEdge = 65_500
  public static let hasAlpha = false
  public static let holdsInks = true
  public static let holdsGainMap = true
  public static let holdsAuxiliaries = true
  public static let holdsFilm = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "quality", \.quality, JPEGQuality.kind,
      "Higher gives better quality and a larger file; source is the quality of the JPEG original,"
        + " or the default for other photos."
    ),
    Setting(
      "subsampling", \.subsampling, Subsampling.kind,
      "The colour resolution: full (4:4:4), half horizontally (4:2:2) or half in both directions"
        + " (4:2:0). auto is half below quality 90; from 90 on it is full, or half if the photo's"
        + " colours have no finer detail, which is checked only with optimize, effort 2 or"
        + " progressive; with quality source it is that of the photo."
    ),
    Setting(
      "progressive", \.progressive, .flag, "Browsers show a coarse picture first; often smaller."),
    Setting(
      "optimize", \.optimize, .flag,
      "Adapts the entropy coding to the photo, for a smaller file; if left out, only up to 8"
        + " megapixels."
    ),
    Setting(
      "effort", \.effort, .integer(.effort, 1...2),
      "2 uses other quantizers, and weighs the errors of each block against the bits that it needs:"
        + " a smaller file at equal quality, more so if progressive, and slower."
    ),
    Setting(
      "restartInterval", \.restartInterval, .integer(.level, 0...65_535),
      "The number of blocks between restart markers, which limit the effect of damage; 0 writes"
        + " none."
    ),
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
  /// True to optimise the Huffman tables for the picture: this saves about 3 % of the bytes, and
  /// needs 3 bytes of memory per pixel.
  ///
  /// Nil to decide by the photo's size.
  public var optimize: Bool?
  /// 2 to quantize each block by the lowest cost of its errors and bits, by quantizers whose files
  /// are smaller at equal SSIMULACRA2 than those of the standard's tables.
  ///
  /// This needs 2 bytes of memory for each sample, 6 per pixel at full colour resolution.
  public var effort = 1
  /// The number of minimum coded units between restart markers.
  ///
  /// A unit is 8 × 8 pixels, or 16 × 16 if colour has half the resolution.
  public var restartInterval = 0

  private static let usualQuality = 82
  /// The quality from which colour is kept at full resolution by default, if the photo needs it.
  private static let fineQuality = 90
  /// The maximum number of pixels of a photo for which the Huffman tables are optimised by default.
  static let fittedPixels = 8_000_000

  public init() {}

  public var saver: String { "phbatch_jpegsave" }

  /// Effort 2 counts the symbols of the whole photo, from which the fitted tables follow.
  private var weighsBits: Bool { effort > 1 }

  public var contradiction: Problem? {
    guard weighsBits && optimize == false else { return nil }
    return .contradiction(
      "effort 2 fits the entropy coding to the photo", remedy: "remove 'optimize' or 'effort'")
  }

  /// The quality; 100 for `source`, as an upper limit, because the photo's own quality is not yet
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
    let isFitted = weighsBits || optimize ?? (size.pixels <= Self.fittedPixels)
    return [
      "Q": .integer(level), "columns": .integer(columns), "rows": .integer(rows),
      "interlace": .flag(progressive), "restart-interval": .integer(restartInterval),
      "optimize-coding": .flag(isFitted),
      "trellis": .flag(weighsBits),
      // Lets the encoder measure whether the photo needs colour at full resolution. This needs the
      // whole picture in memory, which optimised tables and progressive coding need anyway.
      "measure": .flag(subsampling == .auto && columns == 1 && (isFitted || progressive)),
    ]
  }
}
