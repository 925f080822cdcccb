public import FileStructure

/// Kinds of TIFF pixels that libvips 8.14 cannot read, or reads wrongly.
public enum UnreadTIFF: Sendable, Hashable {
  case floats(bits: Int)
  case integers(bits: Int)
  case complexNumbers
  case separateTiles
  /// Floating-point grey with alpha, or floating-point inks.
  case floatsOfOtherColours
  /// Premultiplied integers, signed or 32-bit: libvips' division by alpha loses sign and precision.
  case multipliedIntegers

  private enum Tag {
    static let (bitsPerSample, photometric) = (UInt16(258), UInt16(262))
    static let (samplesPerPixel, planarConfiguration) = (UInt16(277), UInt16(284))
    static let (tileWidth, sampleFormat) = (UInt16(322), UInt16(339))
  }

  /// The kind of pixels that libvips cannot read; nil for files that libvips reads, for truncated
  /// files and for other formats.
  ///
  /// - Source: TIFF Revision 6.0, sections 15, 16 and 19; libvips 8.14, `tiff2vips.c`.
  public init?(in source: ByteSource) {
    guard let file = TIFFFile(source),
      let bits = file.number(Tag.bitsPerSample, usually: 1),
      let channels = file.number(Tag.samplesPerPixel, usually: 1),
      let kind = file.number(Tag.sampleFormat, usually: 1),
      let colours = file.number(Tag.photometric, usually: 2),
      let planes = file.number(Tag.planarConfiguration, usually: 1)
    else { return nil }
    let isTiled = file.field(Tag.tileWidth) != nil
    let isFloat = kind == 3
    let isUsual = kind != 2 && bits < 32
    if isFloat && bits != 32 {
      self = .floats(bits: bits)
    } else if kind == 5 || kind == 6 {
      self = .complexNumbers
    } else if !Self.areRead(bits, channels) {
      self = .integers(bits: bits)
    } else if isFloat && (channels == 2 || colours == 5) {
      self = .floatsOfOtherColours
    } else if !isFloat && !isUsual && file.isMultipliedByAlpha {
      self = .multipliedIntegers
    } else if isTiled && planes == 2 {
      self = .separateTiles
    } else {
      return nil
    }
  }

  /// True if libvips reads samples with this number of bits; fewer than 8 only in files with one
  /// channel.
  private static func areRead(_ bits: Int, _ channels: Int) -> Bool {
    [8, 16, 32].contains(bits) || channels == 1 && [1, 2, 4].contains(bits)
  }
}

extension UnreadTIFF: CustomStringConvertible {
  public var description: String {
    switch self {
    case .floats(let bits): "\(bits)-bit floating-point samples"
    case .integers(let bits): "\(bits)-bit integer samples"
    case .complexNumbers: "complex numbers"
    case .separateTiles: "tiles with one channel each"
    case .floatsOfOtherColours: "floating-point grey with alpha, or floating-point inks"
    case .multipliedIntegers: "premultiplied integers that are signed or have 32 bits"
    }
  }
}

extension TIFFFile {
  private static let (extraSamples, samplesPerPixel) = (UInt16(338), UInt16(277))
  private static let mostPages = 10_000

  /// True if colours are premultiplied by alpha; libvips 8.14 divides them by alpha.
  var isMultipliedByAlpha: Bool { number(Self.extraSamples, usually: 0) == 1 }

  /// The number of channels that are colours or alpha, and of all channels; nil if there are no
  /// further channels.
  ///
  /// Alpha is used if it is the first channel after the colours.
  ///
  /// - Source: TIFF Revision 6.0, section 18, ExtraSamples.
  func keptChannels(_ page: Int) -> (kept: Int, all: Int)? {
    var directory = firstDirectory
    for _ in 0..<min(page, Self.mostPages) where directory != 0 {
      directory = next(after: directory)
    }
    let fields = directory == 0 ? [] : fields(at: directory)
    func values(_ tag: UInt16) -> [Int] {
      fields.first { $0.tag == tag }.flatMap { numbers($0, limit: 1024) } ?? []
    }
    let extras = values(Self.extraSamples)
    guard let first = extras.first, let all = values(Self.samplesPerPixel).first,
      all > extras.count
    else { return nil }
    let kept = all - extras.count + (first == 0 ? 0 : 1)
    return kept < all ? (kept, all) : nil
  }

  /// The first value of a field of the first directory; `usually` if there is no such field, nil if
  /// it cannot be read.
  fileprivate func number(_ tag: UInt16, usually: Int) -> Int? {
    guard let field = field(tag) else { return usually }
    guard let type = field.type, [.short, .long].contains(type) else { return nil }
    return source.number(at: offset(field), type.size, order)
  }
}
