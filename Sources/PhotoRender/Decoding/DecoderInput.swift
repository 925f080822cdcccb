import FileStructure
import Notation
import PhotoMetadata
public import PhotoRecipes
import Vips

/// The libvips loader of a photo, by name, and its arguments.
///
/// The format must be known: with some files, libvips's own detection would not return.
struct DecoderInput: Sendable {
  let loader: String
  private let arguments: [String: Argument]
  /// The channels of a JPEG 2000 file; nil for other formats.
  let jp2: JP2Channels?
  /// The index of the picture that is read from a FITS cube, counted from 0; nil for other formats.
  private let plane: Int?
  /// The number of the first channels that are kept, and of all channels that libvips returns; nil
  /// if all are kept.
  let channels: (kept: Int, all: Int)?
  /// The URNs of the auxiliary pictures in a HEIF file.
  private let auxiliaryTypes: [String]
  private let photo: PhotoFile
  /// The development of a raw photo; nil for other photos.
  private let raw: RawDevelopment?
  private let samples: RawSamples?
  /// A copy of the file in memory; it must live as long as the images that read it.
  private let file: MemoryFile?

  /// Opens the photo as an image; its pixels are decoded when they are read.
  func image(
    _ more: [String: Argument] = [:], ifSupported optional: [String: Argument] = [:]
  ) throws(VipsError) -> Image {
    if let raw {
      let shrink = if case .integer(let factor) = more["shrink"] { factor } else { 1 }
      return try raw.image(photo, shrink: shrink, samples)
    }
    let image = try Image.calling(
      loader, arguments.merging(more) { $1 }, ifSupported: optional
    ).image("out").finite()
    if let profile = jp2?.profile { return try image.setting(["icc-profile-data": .blob(profile)]) }
    if let channels, image.bands == channels.all {
      return try image.applying(
        "extract_band", ["band": .integer(0), "n": .integer(channels.kept)]
      ).applying("copy", ["interpretation": .choice(image.interpretation)])
    }
    return try plane.map { number throws(VipsError) in try image.plane(number) } ?? image
  }

  /// The planes of a JPEG photo, reduced by the factor `shrink`, in the layout of
  /// `phbatch_jpegload`.
  func planes(shrink: Argument?) throws(VipsError) -> Image {
    var arguments = arguments
    arguments["shrink"] = shrink
    return try Image.calling("phbatch_jpegload", arguments).image("out")
  }

  /// An auxiliary picture of the file, as one band; nil if the file does not have it.
  ///
  /// Several outputs may read it one after another, even while the photo is decoded.
  func auxiliary(_ picture: AuxiliaryPicture) throws(VipsError) -> Image? {
    if auxiliaryTypes.isEmpty {
      guard let stored = AuxiliaryData(picture, in: photo.byteSource) else { return nil }
      return try Image.recognised(stored.picture).auxiliary(stored.range)
    }
    guard let type = auxiliaryTypes.first(where: picture.names.contains) else { return nil }
    var arguments = arguments
    arguments["source"] = .source(photo.separateSource())
    arguments["type"] = .text(type)
    let image = try Image.calling("phbatch_heifaux", arguments).image("out")
    let range = picture == .depth ? DepthRange(in: photo.byteSource) : nil
    return try range.map { range throws(VipsError) in try image.near(range) } ?? image
  }

  /// Chooses the loader and its arguments.
  ///
  /// Throws `unsupported` if the format cannot be read, or if it is read only on request and the
  /// recipe does not request it.
  init(
    _ photo: PhotoFile, _ format: InputFormat, _ inputs: InputSettings,
    raw: RawDevelopment? = nil, _ samples: RawSamples? = nil
  ) throws(RenderError) {
    guard inputs.allows(format), let usual = format.loader else { throw .unsupported(format) }
    self.photo = photo
    self.raw = raw
    self.samples = samples
    loader = photo.needsOwnLoader(format) ? Self.ownJXL : usual.operation
    jp2 = format == .jp2 ? try Self.channels(of: photo) : nil
    if [.heif, .avif].contains(format), let matrix = UnreadColours(matrixIn: photo.byteSource) {
      throw .unsupportedColours(matrix)
    }
    if format == .tiff, let kind = UnreadTIFF(in: photo.byteSource) {
      throw .unsupportedTIFF(kind)
    }
    var arguments: [String: Argument] = [:]
    var file: MemoryFile?
    if usual.needsPath {
      // The bytes are copied to a file in memory, which has a path.
      let copy = try Self.copied(try photo.contents(named: format.name))
      arguments["filename"] = .text(copy.path)
      file = copy
    } else if format == .svgz {
      arguments["source"] = .source(Source(bytes: try photo.inflated()))
    } else {
      arguments["source"] = .source(photo.source())
    }
    if let jp2 { arguments.merge(jp2.arguments) { $1 } }
    if usual.hasDensity { arguments["dpi"] = .number(inputs.dpi) }
    var page: Int?
    if case .number(let number) = inputs.frames, usual.hasFrames { page = number - 1 }
    plane = format == .fits ? page ?? 0 : nil
    channels =
      switch format {
      case .exr: AlphaTags.isMadeUp(photo.byteSource) ? (kept: 3, all: 4) : nil
      case .tiff: AlphaTags.keptChannels(photo.byteSource, page: page ?? 0)
      default: nil
      }
    auxiliaryTypes =
      [.heif, .avif].contains(format) ? AuxiliaryTypes.all(in: photo.byteSource) : []
    if plane == nil, let page { arguments["page"] = .integer(page) }
    self.arguments = arguments
    self.file = file
  }

  private static func channels(of photo: PhotoFile) throws(RenderError) -> JP2Channels {
    let found: JP2Channels?
    do throws(UnreadColours) { found = try JP2Channels(of: photo.byteSource) } catch {
      throw .unsupportedColours(error)
    }
    guard let found else {
      throw photo.diagnosis(of: .unreadable("the header is damaged"), .jp2)
    }
    return found
  }

  /// The name of phbatch's own JPEG XL loader, which also reads floats and additional channels.
  static let ownJXL = "phbatch_jxlload"

  private static func copied(_ bytes: [UInt8]) throws(RenderError) -> MemoryFile {
    do throws(VipsError) { return try MemoryFile(bytes) } catch { throw RenderError(error) }
  }
}

extension JP2Channels {
  /// The arguments of `phbatch_jp2kload`.
  fileprivate var arguments: [String: Argument] {
    var arguments: [String: Argument] = [
      "components": .integers(channels.map(\.component)),
      "columns": .integers(channels.map { $0.column ?? -1 }),
      "colours": .integer(model.colours), "ycc": .flag(model == .ycc),
    ]
    if let palette {
      arguments["palette"] = .integers(palette.entries)
      arguments["bits"] = .integers(palette.bits)
    }
    return arguments
  }
}

extension Image {
  /// The image with finite samples only; see `phbatch_finite`.
  fileprivate func finite() throws(VipsError) -> Image {
    format == .float || format == .double ? try applying("phbatch_finite", [:]) : self
  }
}

extension Image {
  /// The largest number of pixels of an auxiliary picture of a JPEG file.
  private static let mostAuxiliaryPixels = 1 << 26

  /// The first band of an auxiliary picture of a JPEG file; near positions of a depth map are white.
  fileprivate func auxiliary(_ range: DepthRange?) throws(VipsError) -> Image {
    guard format == .uchar || format == .ushort, interpretation != "cmyk",
      width * height <= Self.mostAuxiliaryPixels
    else {
      throw .failed(
        operation: "load", detail: "the picture is \(width)×\(height) \(interpretation)")
    }
    let band = try applying("extract_band", ["band": .integer(0)])
      .setting(["heif-bitdepth": .integer(format == .ushort ? 16 : 8)])
    return try range.map { range throws(VipsError) in try band.near(range) } ?? band
  }

  /// The nearness of the samples of a depth map, in the format of the samples.
  fileprivate func near(_ range: DepthRange) throws(VipsError) -> Image {
    let white = (1 << (integer("heif-bitdepth") ?? 8)) - 1
    let levels = (0...white).map {
      (range.nearness(Double($0) / Double(white)) * Double(white)).rounded()
    }
    let table =
      format == .uchar
      ? try Image(samples: levels.map { UInt8($0) }, width: levels.count, height: 1, bands: 1)
      : try Image(samples: levels.map { UInt16($0) }, width: levels.count, height: 1, bands: 1)
    return try applying("maplut", ["lut": .image(table)])
  }
}

extension Image {
  /// Returns one picture of a FITS cube, a stack of planes.
  ///
  /// Returns the image itself if its planes are the channels of a colour picture, or if it has only
  /// one plane.
  ///
  /// - Source: FITS Standard 4.0, 3.3.2: the third axis may have any meaning; programs treat three
  ///   planes as red, green and blue.
  fileprivate func plane(_ number: Int) throws(VipsError) -> Image {
    if bands == 1 || bands == 3 { return self }
    let grey = format == .ushort ? "grey16" : "b-w"
    return try applying("extract_band", ["band": .integer(number)])
      .applying("copy", ["interpretation": .choice(grey)])
      .setting(["n-pages": .integer(bands)])
  }
}

extension InputFormat {
  /// True if phbatch reads the format, and this libvips was built with its loader.
  public var isReadable: Bool { loader.map { VipsRuntime.hasOperation($0.operation) } ?? false }
}

extension PhotoFile {
  /// The photo's format, detected from its bytes.
  func format() throws(RenderError) -> InputFormat {
    if size == 0 { throw .unreadable("the file is empty") }
    var head = FileHead(part(0, FileHead.length))
    if let missing = head.missing {
      let directory = (missing.lowerBound, part(missing.lowerBound, missing.count))
      head = FileHead(part(0, FileHead.length), directory: directory)
    }
    // The user chose the file as a picture, so even an ambiguous signature identifies the format.
    if let format = InputCatalog.format(of: head, acceptsWeak: true) { return format }
    // Some cameras write files without a signature, which LibRaw knows by their length.
    if let facts = try? RawFacts(of: self), facts.problem == nil { return .raw }
    throw .unreadable("unknown file format")
  }

  /// True for JPEG XL files that libvips reads wrongly or not at all: files of floats, files with
  /// channels besides the colours and one alpha, and files with other bytes after their last box.
  fileprivate func needsOwnLoader(_ format: InputFormat) -> Bool {
    guard format == .jxl else { return false }
    if JXLSamples.areFloats(in: byteSource) || hasBytesAfterBoxes { return true }
    let extra = ExtraChannel.all(in: byteSource)
    return !extra.isEmpty && extra != [.alpha]
  }

  /// True if a file of boxes has bytes after its last box.
  private var hasBytesAfterBoxes: Bool {
    let boxes = Box.all(in: byteSource, 0..<byteSource.count)
    return boxes.first?.name == "JXL " && boxes.last?.end != byteSource.count
  }

  /// The text of an SVG drawing.
  func drawing(_ format: InputFormat) throws(RenderError) -> [UInt8] {
    format == .svgz ? try inflated() : try contents(named: format.name)
  }

  /// The decompressed bytes of a gzip file.
  fileprivate func inflated() throws(RenderError) -> [UInt8] {
    let bytes = try contents(named: "svgz")
    do { return try bytes.gunzipped(limit: Self.inflatedLimit) } catch {
      throw .unreadable("the compressed drawing is damaged: \(error)")
    }
  }

  private static let inflatedLimit = 64 << 20
}

extension Image {
  /// Opens an image file that a recipe names; its format must be one that is read by default.
  ///
  /// The colours of the image are independent of alpha.
  static func recognised(
    _ bytes: [UInt8], ifSupported optional: [String: Argument] = [:]
  ) throws(VipsError) -> Image {
    let photo = PhotoFile.bytes(bytes)
    let fileFormat: InputFormat
    let input: DecoderInput
    do throws(RenderError) {
      fileFormat = try photo.format()
      input = try DecoderInput(photo, fileFormat, InputSettings())
    } catch {
      let detail = if case .unreadable(let detail) = error { detail } else { error.message }
      throw .failed(operation: "load", detail: detail)
    }
    var image = try input.image(ifSupported: optional)
    if !image.hasAlpha { return image }
    let mixing = AlphaMixing(fileFormat, image.format, photo.byteSource, input.jp2)
    for step in mixing.steps(image.format, bands: image.bands) {
      image = try image.applying(step.operation.name, step.arguments.mapValues(\.argument))
    }
    return image
  }

  /// Opens an image file, to be read once from top to bottom; a truncated file is an error.
  static func streamed(_ bytes: [UInt8]) throws(VipsError) -> Image {
    try recognised(
      bytes, ifSupported: ["access": .choice("sequential"), "fail-on": .choice("truncated")])
  }
}
