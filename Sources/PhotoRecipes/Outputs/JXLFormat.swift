import Glibc
public import Notation

/// JPEG XL, by libjxl; 8, 10, 12 or 16 bits, with alpha.
public struct JXLFormat: OutputFormat {
  public static let name = "jxl"
  public static let summary = "JPEG XL: small files at high quality or lossless, with alpha."
  public static let fileExtension = "jxl"
  public static let longestEdge = 1_000_000
  public static let hasAlpha = true
  public static let holdsGainMap = true
  public static let holdsHDR = true
  public static let tellsSRGB = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "quality", \.quality, .integer(.quality, 1...100),
      "Higher gives better quality and a larger file."),
    Setting(
      "distance", \.distance, .number(.factor, 0.05...15),
      "The visible difference, in place of quality; at 1 it becomes just visible."),
    Setting("lossless", \.lossless, .flag, "Lossless: keeps every pixel; larger."),
    Setting(
      "effort", \.effort, .integer(.effort, 3...9),
      "Higher is slower and may give a smaller file."),
    Setting(
      "decodingTier", \.decodingTier, .integer(.level, 0...4),
      "Higher is faster to decode and gives a larger file."),
    Setting(
      "bitDepth", \.bitDepth, JXLBitDepth.kind,
      "The bits per channel; auto is 16 for photos of more than 8 bits, else 8."),
  ]

  /// The default quality.
  ///
  /// Renditions need fewer bytes than as JPEG at quality 82. At a JPEG XL quality of 80, libjxl 0.7
  /// leaves blue specks in vivid reds.
  public var quality = 90
  /// The Butteraugli distance; nil to use the quality.
  public var distance: Double?
  public var lossless = false
  /// The default effort; a higher one needs twice the memory and 1.5 times the time without smaller
  /// files.
  public var effort = 5
  public var decodingTier = 0
  public var bitDepth = JXLBitDepth.auto

  public init() {}

  public static var plainest: Self? {
    var format = Self()
    format.lossless = true
    return format
  }

  /// The saver for 10 and 12 bits and for HDR displays.
  public static let ownSaver = "phbatch_jxlsave"

  public var saver: String { bitDepth.isBetweenBytes ? Self.ownSaver : "jxlsave_target" }

  public var contradiction: Problem? {
    guard lossless, distance != nil else { return nil }
    return .contradiction("'distance' does not work with 'lossless'", remedy: "remove 'distance'")
  }

  /// The quality that corresponds to the distance.
  ///
  /// - Source: libvips 8.14, `jxlsave.c`, after `cjxl` of libjxl: `distance = 0.1 + 0.09 (100 −
  ///   q)`.
  public var lossyQuality: Int? {
    if lossless { return nil }
    return distance.map { max(1, min(100, Int((100 - ($0 - 0.1) / 0.09).rounded()))) } ?? quality
  }

  public func with(lossyQuality: Int) -> Self {
    var format = self
    format.quality = lossyQuality
    format.distance = nil
    return format
  }

  public func bitDepth(forSource depth: Int) -> Int { bitDepth.sampleBits(forSource: depth) }

  public func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument] {
    if self.bitDepth.isBetweenBytes { return ownArguments }
    var arguments: [String: EncoderArgument] = [
      "lossless": .flag(lossless), "effort": .integer(effort), "tier": .integer(decodingTier),
    ]
    if let distance {
      arguments["distance"] = .number(distance)
    } else if !lossless {
      arguments["Q"] = .integer(quality)
    }
    return arguments
  }

  /// The arguments of `ownSaver`.
  public var ownArguments: [String: EncoderArgument] {
    [
      "distance": .number(min(15, max(0.05, distance ?? Self.distance(ofQuality: quality)))),
      "lossless": .flag(lossless), "effort": .integer(effort), "tier": .integer(decodingTier),
      "bitdepth": .integer(bitDepth.fileBits),
    ]
  }

  /// - Source: as for `lossyQuality`.
  private static func distance(ofQuality quality: Int) -> Double {
    quality >= 30
      ? 0.1 + Double(100 - quality) * 0.09
      : 6.4 + pow(2.5, Double(30 - quality) / 5) / 6.25
  }
}

/// The bits per channel of JPEG XL files.
public enum JXLBitDepth: String, Choice {
  case auto
  case eight = "8"
  case ten = "10"
  case twelve = "12"
  case sixteen = "16"

  /// True if the file has 10 or 12 bits.
  var isBetweenBytes: Bool { self == .ten || self == .twelve }

  /// The bits per sample in the encoder's input: 8 or 16; `depth` is the number of bits per sample
  /// of the photo.
  func sampleBits(forSource depth: Int) -> Int {
    switch self {
    case .auto: depth > 8 ? 16 : 8
    case .eight: 8
    case .ten, .twelve, .sixteen: 16
    }
  }

  /// The bits per sample in a file that is made of 16-bit samples: 10, 12 or 16.
  fileprivate var fileBits: Int {
    switch self {
    case .ten: 10
    case .twelve: 12
    case .auto, .eight, .sixteen: 16
    }
  }
}
