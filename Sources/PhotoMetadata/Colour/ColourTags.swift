public import FileStructure
public import PhotoRecipes

/// The colour information of a file's container besides an ICC profile.
public struct ColourTags: Sendable, Hashable {
  public var codePoints: CodePoints?
  /// True if the container names sRGB.
  public var isSRGB = false
  /// The exponent that converts samples into linear light; nil if not given.
  public var gamma: Double?
  public var primaries: Primaries?
  /// The highest luminance in the picture, or of the screen it was mastered on, in cd/m²; nil if unknown.
  public var peak: Double?
  /// True if grey has the limited range, 16…235 of 8 bits, which libheif 1.15 does not expand.
  public var hasLimitedGrey = false
  /// True if alpha has the limited range.
  public var hasLimitedAlpha = false
  /// True if the code points take precedence over an ICC profile in the same file.
  public var outranksProfile = false

  public init() {}

  /// Reads a PNG, HEIC, AVIF or OpenEXR file; empty for other files.
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

/// Coding-independent code points: numbers of a picture's primaries, transfer function and matrix.
///
/// - Source: ITU-T H.273, 2021, 8.1 to 8.3.
public struct CodePoints: Sendable, Hashable {
  /// 1: BT.709, 9: BT.2020, 12: P3 with a D65 white, 2: unspecified.
  public var primaries: Int
  /// 1: BT.709, 13: sRGB, 16: PQ, 18: HLG, 2: unspecified.
  public var transfer: Int
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

/// Facts about a file's alpha channel that libvips does not tell.
public enum AlphaTags {
  /// True for JPEG XL files with premultiplied colours, which libvips 8.14 does not divide.
  public static func isPremultiplied(_ source: ByteSource) -> Bool {
    JXLFile(source)?.codestreamHead?.isPremultiplied ?? false
  }

  /// True for TIFF files with premultiplied colours: libvips 8.14 divides them by alpha, and expects
  /// 0…255 for alpha of floats, too.
  public static func wasMultiplied(_ source: ByteSource) -> Bool {
    TIFFFile(source)?.isMultipliedByAlpha ?? false
  }

  /// True for OpenEXR files without alpha, to which libvips adds an opaque alpha.
  public static func isMadeUp(_ source: ByteSource) -> Bool {
    EXRFile(source)?.channels.map { !$0.contains("A") } ?? false
  }
}
