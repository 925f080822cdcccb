/// One file format that renditions are written in, with its encoder's settings.
public protocol OutputFormat: Configurable {
  /// The extension of its files, without the point.
  static var fileExtension: String { get }
  /// The longest edge that it can hold, in pixels.
  static var longestEdge: Int { get }
  static var hasAlpha: Bool { get }
  /// True if its files are photos that can be opened again.
  static var isPhoto: Bool { get }
  /// True if a file can hold a profile; otherwise its colours are sRGB.
  static var holdsProfile: Bool { get }
  /// True if a file can hold one grey channel.
  static var holdsGrey: Bool { get }
  /// True if a file can hold CMYK.
  static var holdsInks: Bool { get }
  /// True if these settings keep alpha; some settings of a format with alpha do not.
  var keepsAlpha: Bool { get }
  /// True if these settings can hold one grey channel.
  var keepsGrey: Bool { get }
  /// True if these settings can hold CMYK.
  var keepsInks: Bool { get }
  /// True if these settings hold colours, not only grey.
  var keepsColour: Bool { get }
  /// True if a file can hold an animation.
  static var holdsFrames: Bool { get }
  /// True if its files mark sRGB in a few bytes, without a profile.
  static var tellsSRGB: Bool { get }
  /// The lowest quality that `maxBytes` leads to unless the recipe says so.
  static var lowestQuality: Int { get }
  /// The libvips operation that writes it.
  var saver: String { get }
  /// Bits a channel in the file, for a photo that has `depth`: 8 or 16.
  func bitDepth(forSource depth: Int) -> Int
  /// The saver's arguments, but for what concerns metadata.
  func arguments(bitDepth: Int, size: Size) -> [String: EncoderArgument]
  /// The timing of an animation.
  var timing: FrameTiming { get }
  /// The quality that is lowered to save bytes, 1…100; nil if the coding is lossless.
  var lossyQuality: Int? { get }
  /// The settings that lose nothing of a picture and ask for nothing else: a file of the format that
  /// has the picture already is as good as one that is made of it; nil where there are none.
  static var plainest: Self? { get }
  /// The same settings with another quality.
  func with(lossyQuality: Int) -> Self
  /// True if settings depend on the photo.
  var dependsOnPhoto: Bool { get }
  /// The settings for one photo, which says how it was saved if it is a JPEG.
  func matching(_ photo: JPEGCoding?) -> Self
}

extension OutputFormat {
  public static var isPhoto: Bool { true }

  public static var holdsProfile: Bool { true }

  public static var holdsGrey: Bool { true }

  public static var holdsInks: Bool { false }

  public var keepsAlpha: Bool { Self.hasAlpha }

  public var keepsGrey: Bool { Self.holdsGrey }

  public var keepsInks: Bool { Self.holdsInks }

  public var keepsColour: Bool { true }

  public static var holdsFrames: Bool { false }

  public static var tellsSRGB: Bool { false }

  /// Below this, JPEG and WebP show blocks in skies and skin.
  public static var lowestQuality: Int { 40 }

  public func bitDepth(forSource depth: Int) -> Int { 8 }

  public var timing: FrameTiming { FrameTiming() }

  public var lossyQuality: Int? { nil }

  public static var plainest: Self? { nil }

  /// True if a file that already holds the picture is as good as one that is made from it.
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

/// Every format that an output may name.
public enum FormatCatalog {
  public static let formats: [any OutputFormat.Type] = [
    AVIFFormat.self, DeepZoomFormat.self, GIFFormat.self, HEICFormat.self, JPEGFormat.self,
    JXLFormat.self, PNGFormat.self, TIFFFormat.self, WebPFormat.self,
  ]

  public static func format(named name: String) -> (any OutputFormat.Type)? {
    formats.first { $0.name == name }
  }
}
