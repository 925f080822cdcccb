import PhotoMetadata
public import PhotoRecipes
public import Vips

/// What a photo's header says: all that a plan needs, and no pixel.
public struct PhotoHeader: Sendable, Hashable {
  public var fileFormat: InputFormat
  /// Which picture of the file, and how large if it has no size.
  public var inputs: InputSettings
  /// The libvips operation that reads the photo.
  public var loader: String
  /// As stored, before any turn.
  public var stored: Size
  public var orientation: Orientation
  public var bands: Int
  public var format: Format
  /// The nickname that libvips has for it: `srgb`, `rgb16`, `b-w`, `cmyk` and more.
  public var interpretation: String
  public var hasAlpha: Bool
  /// The embedded profile's bytes, or those of one that says what the file says otherwise.
  public var profile: [UInt8]?
  /// Of colours that no profile describes.
  var dynamicRange: HighDynamicRange?
  /// Bits of a channel that are used, of 16, the others being zero; nil where all are used.
  var significantBits: Int?
  /// Whether grey goes from 16 to 235, of 8 bits, as it is read; and alpha.
  var hasLimitedGrey = false
  var hasLimitedAlpha = false
  /// Channels of the file that are not read.
  var otherChannels: [ExtraChannel] = []
  var alphaMixing = AlphaMixing.straight
  /// When the photo was taken, `yyyy-MM-ddTHH:mm:ss` in the camera's time.
  public var captureDate: String?
  /// What the photo says of itself, by the names that texts have for it: `date`, `title`, `artist`,
  /// `copyright`.
  public var texts: [String: String]
  /// Whether the whole photo is decoded before the first row comes out: progressive or interlaced.
  public var isInterlaced: Bool
  /// Of a HEIF file's picture: `hevc`, `av1` or another.
  public var compression: String?
  /// Of a JPEG photo's colours: `4:2:0` or `4:4:4`.
  public var subsampling: String?
  /// How a JPEG photo can be read plane by plane; nil where it cannot.
  var planes: JPEGPlanes?
  public var pages: Int
  /// Of a file whose pictures follow one another in time.
  public var animation: Animation?
  /// Whether the file is an animation, of which only the first frame is read.
  var isStill = false

  /// The size of the upright photo.
  public var size: Size { orientation.swapsEdges ? stored.turned : stored }
  /// Bits a channel that renditions may keep: 8 or 16.
  public var depth: Int { format.size > 1 ? 16 : 8 }

  /// What the graph compiler must know.
  public var shape: PhotoShape {
    PhotoShape(
      stored: stored, orientation: orientation,
      shrinks: loader == "jpegload_source" ? [1, 2, 4, 8] : [1])
  }
}

extension PhotoHeader {
  /// Reads the header of an opened image.
  init(_ image: Image, _ fileFormat: InputFormat, _ inputs: InputSettings, loader: String) {
    self.fileFormat = fileFormat
    self.inputs = inputs
    self.loader = loader
    stored = Size(image.width, image.height)
    orientation = image.integer("orientation").flatMap { Orientation(rawValue: $0) } ?? .upright
    bands = image.bands
    format = image.format
    interpretation = image.interpretation
    hasAlpha = image.hasAlpha && Self.alphaKeepers.contains(image.interpretation)
    profile = image.blob("icc-profile-data")
    captureDate =
      ["exif-ifd2-DateTimeOriginal", "exif-ifd2-DateTimeDigitized"]
      .compactMap { image.text($0).flatMap(Self.date) }.first
    texts = Self.texts(image)
    texts["date"] = captureDate
    isInterlaced = image.integer("interlaced") == 1 || image.integer("jpeg-multiscan") == 1
    compression = image.text("heif-compression")
    subsampling = image.text("jpeg-chroma-subsample")
    // Of JPEG 2000, libvips counts sizes of one picture.
    pages = fileFormat.hasFrames ? image.integer("n-pages") ?? 1 : 1
    animation = Animation(image)
    significantBits =
      image.format == .ushort
      ? image.integer("heif-bitdepth").flatMap { (9...15).contains($0) ? $0 : nil } : nil
  }

  /// The interpretations whose alpha libvips keeps on the way to sRGB.
  private static let alphaKeepers = [
    "srgb", "rgb", "rgb16", "multiband", "b-w", "grey16", "scrgb", "cmyk",
  ]

  private static func texts(_ image: Image) -> [String: String] {
    let tags = ["title": "ImageDescription", "artist": "Artist", "copyright": "Copyright"]
    return tags.compactMapValues { image.text("exif-ifd0-\($0)").flatMap(text(exif:)) }
  }

  /// `Ansel (Ansel, ASCII, 6 components, 6 bytes)` as `Ansel`: the last byte is a NUL.
  private static func text(exif field: String) -> String? {
    guard let count = field.split(separator: " ").dropLast().last.flatMap({ Int($0) }), count > 1
    else { return nil }
    let text = String(decoding: field.utf8.prefix(count - 1), as: UTF8.self)
    let isBlank = text.allSatisfy { $0.isWhitespace || $0 == "\0" }
    return isBlank ? nil : text
  }

  /// `2008:05:30 15:56:01 (…)` as `2008-05-30T15:56:01`.
  private static func date(exif text: String) -> String? {
    let shape = "0000:00:00 00:00:00"
    let stamp = text.prefix(shape.count)
    let fits = zip(stamp, shape).allSatisfy { $1 == "0" ? ("0"..."9").contains($0) : $0 == $1 }
    guard fits, stamp.count == shape.count, !stamp.hasPrefix("0000") else { return nil }
    let day = stamp.prefix(10).map { $0 == ":" ? "-" : $0 }
    return String(day) + "T" + stamp.suffix(8)
  }
}

extension Image {
  func integer(_ name: String) -> Int? {
    if case .integer(let value) = field(name) { value } else { nil }
  }

  func text(_ name: String) -> String? {
    if case .text(let value) = field(name) { value } else { nil }
  }

  func blob(_ name: String) -> [UInt8]? {
    if case .blob(let value) = field(name) { value } else { nil }
  }
}
