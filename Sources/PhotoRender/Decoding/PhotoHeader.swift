import PhotoMetadata
public import PhotoRecipes
public import Vips

/// The content of a photo's header: everything that a plan needs, without pixels.
public struct PhotoHeader: Sendable, Hashable {
  public var fileFormat: InputFormat
  /// The selected picture of the file, and the resolution at which a file without pixels is drawn.
  public var inputs: InputSettings
  /// The libvips operation that reads the photo.
  public var loader: String
  /// The size as stored, before the photo is turned upright.
  public var stored: Size
  public var orientation: Orientation
  /// The resolution that every rendition gets unless its output sets another one.
  var resolution: Resolution
  public var bands: Int
  public var format: Format
  /// The colour space, as a libvips nickname: `srgb`, `rgb16`, `b-w`, `cmyk` and others.
  public var interpretation: String
  public var hasAlpha: Bool
  /// The bytes of the embedded profile, or of a profile created from the file's other colour tags;
  /// nil if it has neither.
  public var profile: [UInt8]?
  /// True if the decoder found a usable profile in the file.
  var isProfileDecoded = false
  /// The high dynamic range of colours that no profile describes; nil for other photos.
  var dynamicRange: HighDynamicRange?
  /// The photo's gain map without its picture, if the photo is rendered for HDR displays; otherwise
  /// nil.
  var gains: GainMap?
  /// The number of bits that each 16-bit channel uses (the other bits are zero); nil if all are
  /// used.
  var significantBits: Int?
  /// The bits of a sample that a JPEG XL file states; nil for other formats.
  ///
  /// Decoded samples have the full range of 8 or 16 bits.
  var statedBits: Int?
  /// True if the samples of grey, or of alpha, range from 16 to 235 on an 8-bit scale.
  var hasLimitedGrey = false
  var hasLimitedAlpha = false
  /// The channels of the file that are not read.
  var otherChannels: [ExtraChannel] = []
  var alphaMixing = AlphaMixing.straight
  /// The file's metadata; nil if they were not read with the header.
  var metadata: Metadata?
  /// The time at which the photo was taken, `yyyy-MM-ddTHH:mm:ss` in the camera's local time.
  public var captureDate: String?
  /// The texts from the photo's metadata, by the names of their placeholders, such as `title`.
  public var texts: [String: String] = [:]
  /// True if the whole photo is decoded before its first row is available: progressive or
  /// interlaced.
  public var isInterlaced: Bool
  /// The codec of a HEIF file's picture: `hevc`, `av1` or another.
  public var compression: String?
  /// The chroma subsampling of a JPEG photo: `4:2:0` or `4:4:4`.
  public var subsampling: String?
  /// The planes of a JPEG photo that can be read as separate planes; nil for other photos.
  var planes: JPEGPlanes?
  public var pages: Int
  /// The timing of an animation; nil if the file is not an animation.
  public var animation: Animation?
  /// The development of a raw photo; nil for other photos.
  public var raw: RawDevelopment?
  /// True if the file is an animation of which only the first frame can be read.
  var isStill = false
  /// The files that an SVG drawing links to, and that renditions lack.
  var links: [String] = []

  /// True if the file has channels besides colours and alpha; black ink is one.
  var hasOtherChannels: Bool {
    !otherChannels.isEmpty || loader == DecoderInput.ownJXL && interpretation == "cmyk"
  }

  /// The details in the photo's metadata; empty if there are none.
  public var details: PhotoDetails { PhotoDetails(metadata ?? Metadata()) }
  /// The size of the upright photo.
  public var size: Size { orientation.swapsEdges ? stored.turned : stored }
  /// The number of bits of a channel that a rendition can keep: 8 or 16.
  public var depth: Int { format.size > 1 ? 16 : 8 }

  /// The facts that the graph compiler needs.
  public var shape: PhotoShape {
    PhotoShape(
      stored: stored, orientation: orientation,
      shrinks: raw?.shrinks ?? (fileFormat == .jpeg ? [1, 2, 4, 8] : [1]),
      isMosaic: raw?.isMosaic == true)
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
    resolution = Resolution(of: image)
    bands = image.bands
    format = image.format
    interpretation = image.interpretation
    hasAlpha = image.hasAlpha && Self.alphaKeepers.contains(image.interpretation)
    profile = image.blob("icc-profile-data")
    isProfileDecoded = profile != nil
    isInterlaced = image.integer("interlaced") == 1 || image.integer("jpeg-multiscan") == 1
    compression = image.text("heif-compression")
    subsampling = image.text("jpeg-chroma-subsample")
    // Pages of JPEG 2000 files are not counted: libvips reports the stored sizes of one picture as
    // pages.
    pages = fileFormat.loader?.hasFrames == true ? image.integer("n-pages") ?? 1 : 1
    animation = Animation(image)
    significantBits =
      image.format == .ushort
      ? image.integer("heif-bitdepth").flatMap { (9...15).contains($0) ? $0 : nil } : nil
  }

  /// The interpretations for which libvips keeps alpha when it converts an image to sRGB.
  private static let alphaKeepers = [
    "srgb", "rgb", "rgb16", "multiband", "b-w", "grey16", "scrgb", "cmyk",
  ]
}

/// The timing of an animation.
public struct Animation: Sendable, Hashable {
  /// The display time of each frame in milliseconds.
  public var delays: [Int]
  /// The number of times that the animation is played; 0 if it repeats forever.
  public var loop: Int

  /// Reads the timing of an image; nil if the image is not an animation.
  init?(_ image: Image) {
    guard case .integers(let delays) = image.field("delay"), delays.count > 1 else { return nil }
    self.delays = delays
    loop = image.integer("loop") ?? 0
  }

  /// An animation that repeats forever.
  init(delay: Int, count: Int) {
    delays = Array(repeating: delay, count: count)
    loop = 0
  }

  /// Marks an image of vertically stacked frames as this animation.
  func labelled(_ frames: Image, count: Int) throws(VipsError) -> Image {
    try frames.setting([
      "page-height": .integer(frames.height / count), "n-pages": .integer(count),
      "delay": .integers(delays), "loop": .integer(loop),
    ])
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
