/// A file format for renditions, with its encoder's settings.
public protocol OutputFormat: Configurable {
  /// The extension of its files, without the dot.
  static var fileExtension: String { get }
  /// The longest edge that the format supports, in pixels.
  static var longestEdge: Int { get }
  static var hasAlpha: Bool { get }
  /// True if its files are photos that phbatch can read again.
  static var isPhoto: Bool { get }
  /// True if the format's files are films, which are rendered only from films.
  static var isFilm: Bool { get }
  /// True if a file can contain a profile; otherwise its colours are sRGB.
  static var holdsProfile: Bool { get }
  /// True if the format supports a single grey channel.
  static var holdsGrey: Bool { get }
  /// True if the format supports CMYK.
  static var holdsInks: Bool { get }
  /// True if these settings keep alpha; some settings of a format with alpha do not.
  var keepsAlpha: Bool { get }
  /// True if these settings support a single grey channel.
  var keepsGrey: Bool { get }
  /// True if these settings support CMYK.
  var keepsInks: Bool { get }
  /// True if these settings support colours, not only grey.
  var keepsColour: Bool { get }
  /// True if these settings write a palette, chosen by the encoder.
  var hasPalette: Bool { get }
  /// True if the format supports animations.
  static var holdsFrames: Bool { get }
  /// True if phbatch writes gain maps into its files.
  static var holdsGainMap: Bool { get }
  /// True if phbatch writes mattes and depth maps into its files.
  static var holdsAuxiliaries: Bool { get }
  /// True if phbatch writes pictures for HDR displays in the format.
  static var holdsHDR: Bool { get }
  /// True if its files can contain a film, or belong to one, as motion photos and Live Photos.
  static var holdsFilm: Bool { get }
  /// True if its files mark sRGB in a few bytes, without a profile.
  static var tellsSRGB: Bool { get }
  /// The lowest quality to which `maxBytes` reduces an output without `minQuality`.
  static var lowestQuality: Int { get }
  /// The name of the libvips operation that writes the format.
  var saver: String { get }
  /// The bits per channel in the file, for a photo with `depth` bits per channel: 8 or 16.
  func bitDepth(forSource depth: Int) -> Int
  /// The saver's arguments, without arguments for metadata.
  func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument]
  /// The timing of an animation.
  var timing: FrameTiming { get }
  /// The quality that can be reduced to save bytes, 1…100; nil if the coding is lossless.
  var lossyQuality: Int? { get }
  /// The settings for a lossless file without any special option; nil if the format has no such
  /// settings.
  ///
  /// With these settings, an existing file of this format that contains the picture is as good as a
  /// newly encoded one.
  static var plainest: Self? { get }
  /// The same settings with another quality.
  func with(lossyQuality: Int) -> Self
  /// True if some of these settings are taken from the photo, such as the quality of a JPEG;
  /// `matching` sets them.
  var dependsOnPhoto: Bool { get }
  /// The settings for one photo; `photo` is its JPEG coding, nil if it is not a JPEG.
  func matching(_ photo: JPEGCoding?) -> Self
}

extension OutputFormat {
  public static var isPhoto: Bool { true }

  public static var isFilm: Bool { false }

  public static var holdsProfile: Bool { true }

  public static var holdsGrey: Bool { true }

  public static var holdsInks: Bool { false }

  public var keepsAlpha: Bool { Self.hasAlpha }

  public var keepsGrey: Bool { Self.holdsGrey }

  public var keepsInks: Bool { Self.holdsInks }

  public var keepsColour: Bool { true }

  public var hasPalette: Bool { false }

  public static var holdsFrames: Bool { false }

  public static var holdsGainMap: Bool { false }

  public static var holdsAuxiliaries: Bool { false }

  public static var holdsHDR: Bool { false }

  public static var holdsFilm: Bool { false }

  public static var tellsSRGB: Bool { false }

  /// The default: below this quality, JPEG and WebP show blocks in skies and skin.
  public static var lowestQuality: Int { 40 }

  public func bitDepth(forSource depth: Int) -> Int { 8 }

  public var timing: FrameTiming { FrameTiming() }

  public var lossyQuality: Int? { nil }

  public static var plainest: Self? { nil }

  /// True if an existing file that contains the picture is as good as one newly encoded with these
  /// settings.
  public var isPlainest: Bool { self == Self.plainest }

  public func with(lossyQuality: Int) -> Self { self }

  public var dependsOnPhoto: Bool { false }

  public func matching(_ photo: JPEGCoding?) -> Self { self }
}

/// A value that a libvips saver accepts.
public enum EncoderArgument: Sendable, Hashable {
  case flag(Bool)
  case integer(Int)
  case number(Double)
  case choice(String)
  case text(String)
}

/// All formats that an output can use.
public enum FormatCatalog {
  public static let formats: [any OutputFormat.Type] = [
    AVIFFormat.self, DeepZoomFormat.self, GIFFormat.self, HEICFormat.self, JPEGFormat.self,
    JXLFormat.self, MOVFormat.self, MP4Format.self, PNGFormat.self, TIFFFormat.self,
    WebMFormat.self, WebPFormat.self,
  ]

  public static func format(named name: String) -> (any OutputFormat.Type)? {
    formats.first { $0.name == name }
  }
}
