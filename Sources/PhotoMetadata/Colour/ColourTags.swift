public import FileStructure
public import PhotoRecipes

/// The colour information in a file's container, except an ICC profile.
public struct ColourTags: Sendable, Hashable {
  public var codePoints: CodePoints?
  /// True if the container states sRGB.
  public var isSRGB = false
  /// The exponent that converts samples to linear light; nil if the container states none.
  public var gamma: Double?
  public var primaries: Primaries?
  /// The maximum luminance of the picture, otherwise of the mastering display, in cd/m²; nil if
  /// both are unknown.
  public var peak: Double?
  /// True if grey samples have the limited range, 16…235 in 8 bits, which libheif 1.15 does not
  /// expand.
  public var hasLimitedGrey = false
  /// True if alpha has the limited range.
  public var hasLimitedAlpha = false
  /// True if a colour profile in the same file must be ignored in favour of the code points.
  public var outranksProfile = false

  public init() {}

  /// Reads the tags of a PNG, HEIC, AVIF or OpenEXR file; empty for other files.
  public init(of source: ByteSource) {
    self.init()
    switch ContainerFormat(of: source) {
    case .png: read(PNGFile(source))
    case .heif: if let file = HEIFFile(source) { read(file) }
    case .jpeg, .webp, .tiff, .jxl, .gif: break
    case nil: if let file = EXRFile(source) { read(file) }
    }
  }
}

/// Coding-independent code points: the codes of a picture's primaries, transfer function and
/// matrix.
///
/// - Source: ITU-T H.273, 2021, 8.1 to 8.3.
public struct CodePoints: Sendable, Hashable {
  /// The code of the primaries.
  ///
  /// 1: BT.709, 9: BT.2020, 12: P3 with a D65 white, 2: unspecified.
  public var primaries: Int
  /// The code of the transfer function.
  ///
  /// 1: BT.709, 13: sRGB, 16: PQ, 18: HLG, 2: unspecified.
  public var transfer: Int
  /// The code of the matrix.
  ///
  /// 0: RGB, 1: BT.709, 6: BT.601, 9: BT.2020.
  public var matrix: Int
  public var isFullRange: Bool

  public init(primaries: Int, transfer: Int, matrix: Int = 0, isFullRange: Bool = true) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.isFullRange = isFullRange
  }
}

extension CodePoints: CustomStringConvertible {
  public var description: String { "\(primaries)/\(transfer)/\(matrix)" }
}

/// Facts about a file's alpha channel that libvips does not report.
public enum AlphaTags {
  /// True for JPEG XL files with premultiplied colours.
  ///
  /// The decoder, libjxl, does not divide these colours by alpha.
  public static func isPremultiplied(_ source: ByteSource) -> Bool {
    JXLFile(source)?.codestreamHead?.isPremultiplied ?? false
  }

  /// True for TIFF files with premultiplied colours.
  ///
  /// libvips 8.14 divides them by alpha, and expects the range 0…255 for floating-point alpha, too.
  public static func wasMultiplied(_ source: ByteSource) -> Bool {
    TIFFFile(source)?.isMultipliedByAlpha ?? false
  }

  /// True for OpenEXR files without alpha, to which libvips adds an opaque alpha.
  public static func isMadeUp(_ source: ByteSource) -> Bool {
    EXRFile(source)?.channels.map { !$0.contains("A") } ?? false
  }

  /// The number of channels of a TIFF file's picture that are colours or alpha, and of all its
  /// channels; nil for other formats and if there are no further channels.
  ///
  /// Further channels are selections that Photoshop saved, or the infrared of an aerial picture;
  /// libvips takes the last one for alpha. `page` is counted from 0.
  public static func keptChannels(
    _ source: ByteSource, page: Int
  ) -> (kept: Int, all: Int)? {
    TIFFFile(source)?.keptChannels(page)
  }
}
