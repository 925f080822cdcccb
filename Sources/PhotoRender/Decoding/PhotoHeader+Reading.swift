import FileStructure
import PhotoMetadata
import PhotoRecipes
import Vips

extension PhotoHeader {
  /// Reads a file's header with libvips; phbatch's own readers read the parts that libvips 8.14
  /// skips.
  init(of photo: PhotoFile, _ inputs: InputSettings) throws(RenderError) {
    // A lenient decoder may have left error text about an earlier photo.
    VipsRuntime.forgetErrorText()
    let format = try photo.format()
    if format.family == .raw && inputs.allows(format) && format.isReadable {
      try self.init(raw: photo, format, inputs)
      readMetadata(Metadata(of: photo.byteSource))
      return
    }
    // The first frame is opened instead of the selected frame. If the selected frame were missing,
    // the loader's error would not say so.
    var whole = inputs
    whole.frames = .first
    let input = try DecoderInput(photo, format, whole)
    let image: Image
    do throws(VipsError) {
      image = try input.image(ifSupported: ["access": .choice("sequential")])
    } catch {
      throw photo.diagnosis(of: .unreadable(error.reason), format)
    }
    self.init(image, format, inputs, loader: input.loader)
    if format == .png { resolution = Resolution(of: image, in: PNGFile(photo.byteSource)) }
    if format == .jpeg && bands == 3 && !isInterlaced { planes = JPEGPlanes(photo) }
    if format == .gif { try countFrames(of: photo) }
    if case .number(let number) = inputs.frames {
      guard number <= pages else { throw .missingFrame(number, count: pages) }
      if format == .gif, number > GIFFrames.mostRead {
        throw .unreadable(
          "only the first \(GIFFrames.mostRead) of its \(pages) frames can be read")
      }
      if format.loader?.hasFrames == true { try readFrame(of: photo) }
    }
    guard bands <= 4 || interpretation == "cmyk" && bands == 5 else {
      throw .unreadable("the photo has \(bands) channels; 1 to 4 are supported")
    }
    // libvips packs 8-bit CIELAB into four bands.
    if isLab && bands != 3 && self.format != .uchar { throw .unsupportedColours(.channels(bands)) }
    if fileFormat == .ppm && photo.isFloatMap { orientation = .mirroredUpsideDown }
    if fileFormat == .hdr {
      // libvips loads each pixel of a Radiance file as four bytes; a later operation unpacks them
      // to three floats.
      (bands, self.format, hasAlpha) = (3, .float, false)
    }
    isStill = animation == nil && AnimationTags.announceFrames(photo.byteSource)
    if hasAlpha { alphaMixing = AlphaMixing(fileFormat, self.format, photo.byteSource, input.jp2) }
    var page = 1
    if fileFormat == .tiff, case .number(let number) = inputs.frames { page = number }
    readMetadata(Metadata(of: photo.byteSource, page: page))
    let tags = ColourTags(of: photo.byteSource)
    (hasLimitedGrey, hasLimitedAlpha) = (tags.hasLimitedGrey, tags.hasLimitedAlpha && hasAlpha)
    readColours(tags)
    if let bytes = profile, !leadsToColours(bytes) { profile = [] }
    if [.svg, .svgz].contains(fileFormat) {
      links = SVGLinks.all(in: try photo.drawing(fileFormat))
    }
    if fileFormat == .jxl { statedBits = JXLSamples.bits(in: photo.byteSource) }
    if loader == DecoderInput.ownJXL {
      otherChannels = ExtraChannel.all(in: photo.byteSource)
        .removingFirst(.alpha).removingFirst(interpretation == "cmyk" ? .black : nil)
    }
    if fileFormat == .tiff, try photo.input(for: self).channels != nil { otherChannels = [.other] }
  }

  /// Counts the frames of a GIF file with more frames than libvips counts.
  ///
  /// Throws `unreadable` if the file has no pixels.
  private mutating func countFrames(of photo: PhotoFile) throws(RenderError) {
    guard GIFFrames.havePixels(in: photo.byteSource) else {
      throw .unreadable("neither the picture nor a frame has any pixels")
    }
    guard pages > GIFFrames.mostRead else { return }
    pages = max(pages, GIFFrames.count(in: photo.byteSource) ?? 0)
  }

  /// Replaces the size and the sample format by the selected frame's.
  private mutating func readFrame(of photo: PhotoFile) throws(RenderError) {
    let input = try photo.input(for: self)
    let image: Image
    do throws(VipsError) {
      image = try input.image(ifSupported: ["access": .choice("sequential")])
    } catch {
      throw .unreadable(error.reason)
    }
    let pages = pages
    self = PhotoHeader(image, fileFormat, inputs, loader: loader)
    self.pages = pages
  }

  /// Adds the capture time and the texts, and the orientation of PNG files.
  ///
  /// libvips reads neither the orientation of PNG files nor XMP and IPTC, and cuts long texts of
  /// EXIF.
  private mutating func readMetadata(_ metadata: Metadata) {
    if fileFormat == .png, orientation == .upright,
      let turned = metadata.orientation.flatMap({ Orientation(rawValue: $0) })
    {
      orientation = turned
    }
    self.metadata = metadata
    let details = details
    (captureDate, texts) = (details.date, details.texts)
  }

  /// Creates a profile from the code points in the container or in the embedded profile.
  private mutating func readColours(_ tags: ColourTags) {
    let fromProfile = profile.flatMap { ICCProfile.codePoints($0) }
    let usable = profile == nil || tags.outranksProfile ? tags.codePoints : nil
    if let points = usable ?? fromProfile, let transfer = points.dynamicRange,
      let primaries = points.spacePrimaries
    {
      dynamicRange = HighDynamicRange(transfer, primaries, peak: tags.peak)
      profile = nil
    } else if let points = usable, points.spacePrimaries != nil, points.tone != nil {
      profile = points.profile?.bytes
    } else if profile == nil && !tags.isSRGB {
      profile = tags.profile(usualExponent: fileFormat == .exr ? 1 : 2.2)?.bytes
    }
  }
}

extension PhotoHeader {
  /// True if Little CMS can convert colours with the tables of a profile, or the profile has no
  /// tables.
  private func leadsToColours(_ profile: [UInt8]) -> Bool {
    guard case .table(let space, _) = ICCProfile(profile) else { return true }
    let colours = ["GRAY": 1, "RGB ": 3, "CMYK": 4][space]
    guard let colours, let kind = [1: "b-w", 3: "srgb", 4: "cmyk"][colours],
      colours == bands - (hasAlpha ? 1 : 0),
      let step = SourceColour(self).normalization.first(where: {
        $0.operation == .importByTables
      })
    else { return true }
    do throws(VipsError) {
      let pixel = try Image(
        pixels: [200, 100, 50, 0].prefix(colours).map { UInt8($0) }, width: 1, height: 1,
        bands: colours, format: .uchar
      ).applying("copy", ["interpretation": .choice(kind)])
        .setting(["icc-profile-data": .blob(profile)])
      let bytes = step.arguments.merging(["depth": .integer(8)]) { $1 }
      _ = try pixel.importedByTables(bytes).samples(as: UInt8.self)
      // If Little CMS rejects the profile, libvips silently uses a profile of its own and attaches
      // that profile to the result. Comparing the attached profile with `profile` detects this.
      var arguments = step.arguments.mapValues(\.argument)
      for name in ["output-profile", "depth"] { arguments[name] = nil }
      return try pixel.applying("icc_import", arguments).blob("icc-profile-data") == profile
    } catch {
      return false
    }
  }
}

extension ColourTags {
  /// The profile for the exponent and the primaries that a PNG or OpenEXR file states.
  ///
  /// Nil if the exponent is close to `usualExponent`, and the primaries to sRGB's.
  fileprivate func profile(usualExponent: Double) -> StandardProfile? {
    let exponent = gamma ?? usualExponent
    let isUsual = abs(exponent - usualExponent) < 0.03 && primaries.map { $0.isNear(.srgb) } ?? true
    if isUsual || gamma == nil && primaries == nil { return nil }
    return StandardProfile(
      description: "gamma \(exponent)", primaries: primaries ?? .srgb,
      tone: gamma == nil ? StandardProfile.srgb.tone : [exponent])
  }
}

extension Primaries {
  /// True if the chromaticities are equal apart from rounding.
  fileprivate func isNear(_ other: Primaries) -> Bool {
    let pairs = [
      (red, other.red), (green, other.green), (blue, other.blue), (white, other.white),
    ]
    return pairs.allSatisfy { abs($0.x - $1.x) < 0.001 && abs($0.y - $1.y) < 0.001 }
  }
}

extension PhotoFile {
  /// The decoder of this photo, for a header that was already read.
  ///
  /// Executions that share `samples` decode a raw photo only once.
  func input(
    for header: PhotoHeader, _ samples: RawSamples? = nil
  ) throws(RenderError) -> DecoderInput {
    try DecoderInput(self, header.fileFormat, header.inputs, raw: header.raw, samples)
  }
}

extension PhotoFile {
  /// True if the file is a portable float map.
  ///
  /// The rows of such a file are stored from bottom to top, and libvips 8.14 returns them in that
  /// order.
  ///
  /// - Source: P. Debevec, "Portable FloatMap Image Format".
  fileprivate var isFloatMap: Bool { ["Pf", "PF"].contains { part(0, 2) == Array($0.utf8) } }
}

extension [ExtraChannel] {
  /// Returns the list without the first element that equals `kind`.
  fileprivate func removingFirst(_ kind: ExtraChannel?) -> Self {
    guard let index = firstIndex(where: { $0 == kind }) else { return self }
    return Array(self[..<index] + self[(index + 1)...])
  }
}
