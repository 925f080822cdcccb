public import PhotoRecipes

/// What a file's container says of its colours besides an ICC profile.
public struct ColourTags: Sendable, Hashable {
  public var codePoints: CodePoints?
  /// Whether the container says in a word that the colours are sRGB's.
  public var isSRGB = false
  /// The exponent that makes light of samples.
  public var gamma: Double?
  public var primaries: Primaries?
  /// The brightest light in the picture, or of the screen that it was made on: candela a square
  /// metre.
  public var peak: Double?
  /// Whether grey goes from 16 to 235, of 8 bits: libheif 1.15 leaves it so.
  public var hasLimitedGrey = false
  /// Whether alpha does.
  public var hasLimitedAlpha = false
  /// Whether code points go before an ICC profile in the same file.
  public var outranksProfile = false

  public init() {}

  /// Reads a PNG, HEIC, AVIF or OpenEXR file's; nothing of other files.
  public init(of source: ByteSource) {
    self.init()
    switch ContainerFormat(of: source) {
    case .png: read(PNGFile(source))
    case .items: if let file = ItemFile(source) { read(file) }
    case .jpeg, .webp, .tiff, .jxl, .gif: break
    case nil: if let file = EXRFile(source) { read(file) }
    }
  }
}
