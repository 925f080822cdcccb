import PhotoMetadata
import PhotoRecipes

/// The colour space of one output: the conversion to it, and the profile to embed.
struct OutputColour: Sendable, Hashable {
  /// The channels of the file.
  enum Model: Sendable, Hashable {
    case rgb
    /// One channel: the first of three equal channels.
    case grey
    /// Device values, such as CMYK. Little CMS computes them with the profile's tables from colours
    /// in the space `StandardProfile.handover`.
    case device(DeviceProfile)
  }

  /// The instructions from display-encoded sRGB to this space.
  let fromSRGB: [PointProgram.Instruction]
  /// The profile; empty if code points alone state the space.
  let profile: [UInt8]
  let model: Model
  let warning: String?
  /// The code points of the space; nil if it has none.
  let codePoints: CodePoints?

  /// True if the space is sRGB, or grey with sRGB's curve; EXIF has a separate tag for this.
  let isSRGB: Bool
  /// True if the space has only greys.
  let hasOnlyGreys: Bool

  /// True if Little CMS computes the samples.
  var isDevice: Bool { if case .device = model { true } else { false } }

  /// The instructions of `fromSRGB` with an additional one that moves colours outside the space
  /// into it.
  ///
  /// Spaces of greys and of device values have no additional instruction.
  var mappedFromSRGB: [PointProgram.Instruction] {
    guard model == .rgb else { return fromSRGB }
    if fromSRGB.isEmpty { return GamutMap.ofEncodedSRGB.map { [.colour(.gamut($0))] } ?? [] }
    guard let matrix, let map = GamutMap(fromSRGB: matrix) else { return fromSRGB }
    return fromSRGB[..<2] + [.colour(.gamut(map))] + fromSRGB[2...]
  }

  /// The gamut of the space; sRGB for spaces of greys and of device values.
  var gamut: Gamut {
    guard model == .rgb, let matrix else { return .sRGB }
    return Gamut(fromSRGB: matrix)
  }

  /// The matrix from linear sRGB to linear light of this space; nil if `fromSRGB` has none.
  private var matrix: ColourMatrix? {
    guard fromSRGB.count > 2, fromSRGB[0] == .curve(.decode),
      case .matrix(let matrix) = fromSRGB[1]
    else { return nil }
    return matrix
  }

  /// The profile to embed in a file of a format.
  ///
  /// Nil if the format cannot embed a profile, if code points alone state the space, or if it is
  /// sRGB and the format states sRGB in a few bytes.
  func embedded(in format: any OutputFormat.Type) -> [UInt8]? {
    !format.holdsProfile || profile.isEmpty || isSRGB && format.tellsSRGB ? nil : profile
  }

  /// Creates the colour space of one output; `isGrey` is true if its image has only brightness.
  ///
  /// Greys stay in one channel if the output is sRGB or has the photo's own space.
  ///
  /// - Throws: `unusableProfile` for a file among `files` to which no colours can be converted,
  ///   `unfitProfile` for a profile of inks that the output's format does not support.
  init(
    _ output: Output, _ source: SourceColour, _ header: PhotoHeader, files: [String: [UInt8]],
    isGrey: Bool = false
  ) throws(RenderError) {
    let format = output.format
    let space: Space
    var warning: String?
    // The code points of a space for HDR displays state it without a profile.
    if let transfer = output.hdr {
      let points = CodePoints(transfer, output.profile)
      fromSRGB = HighDynamicRange.fromSRGB(transfer, points.spacePrimaries ?? .rec2020)
      (profile, model, self.warning, isSRGB, hasOnlyGreys) = ([], .rgb, nil, false, false)
      codePoints = points
      return
    }
    let grey = isGrey && format.keepsGrey ? Space.greyOfSRGB : nil
    switch output.profile {
    case .preserve:
      var own = header.profile.flatMap { Space(preserving: $0, source, in: format) }
      if own?.model == .grey && !isGrey {
        own = nil
        warning = "the photo's profile is greyscale: '\(output.name)' is written in sRGB"
      } else if own == nil && header.profile != nil && (grey == nil || !source.toSRGB.isEmpty) {
        warning =
          "phbatch cannot convert colours to the photo's profile: '\(output.name)' is written in"
          + " sRGB"
      }
      space = own ?? grey ?? Space(.srgb)
    case .file(let file): space = try Self.space(file, format, files)
    case .grey: space = grey ?? (format.keepsGrey ? Space(.grey) : Space.greyInSRGB)
    case .srgb: space = grey ?? Space(format.keepsColour ? .srgb : .grey)
    case .displayP3: space = Space(.displayP3)
    case .adobeRGB: space = Space(.adobeRGB)
    case .proPhoto: space = Space(.proPhoto)
    case .rec2020: space = Space(.rec2020)
    }
    (fromSRGB, profile, model) = (space.fromSRGB, space.profile, space.model)
    self.warning = warning
    isSRGB = space.isSRGB
    hasOnlyGreys = space.isGrey || output.profile == .grey
    codePoints = space.isSRGB ? .srgb : CodePoints(output.profile)
  }

  /// Checks that an output can use the profile file that it names; other outputs need no check.
  ///
  /// - Throws: `unusableProfile`, `unfitProfile`.
  static func check(_ output: Output, files: [String: [UInt8]]) throws(RenderError) {
    guard case .file(let file) = output.profile else { return }
    if case .device(let device) = try space(file, output.format, files).model,
      !device.takesColours(output.intent)
    {
      throw .unusableProfile(file.path)
    }
  }

  private static func space(
    _ file: NamedFile, _ format: any OutputFormat, _ files: [String: [UInt8]]
  ) throws(RenderError) -> Space {
    guard let bytes = files[file.path], let space = Space(bytes) else {
      throw .unusableProfile(file.path)
    }
    guard space.fits(format) else {
      throw .unfitProfile(file.path, format: type(of: format).name)
    }
    return space
  }
}

/// A space to which colours can be converted.
private struct Space {
  var fromSRGB: [PointProgram.Instruction]
  var profile: [UInt8]
  var model = OutputColour.Model.rgb

  /// True if the space is sRGB, or grey with sRGB's curve.
  ///
  /// False for device spaces, because their instructions lead to an intermediate space.
  var isSRGB: Bool { fromSRGB.isEmpty }

  /// True if the file has one channel, of greys.
  var isGrey: Bool {
    switch model {
    case .rgb: false
    case .grey: true
    case .device(let device): device.model == .grey
    }
  }

  init(_ standard: StandardProfile) {
    profile = standard.bytes
    fromSRGB = standard == .srgb ? [] : ICCProfile(profile)?.fromSRGB ?? []
    if standard.isGrey { model = .grey }
  }

  /// The space of any profile; nil if no conversion to it exists.
  init?(_ bytes: [UInt8]) {
    if let known = ICCProfile(bytes), let way = known.fromSRGB {
      (fromSRGB, profile) = (way, bytes)
      if case .grey = known { model = .grey }
    } else if let device = ICCProfile.device(bytes) {
      let way = ICCProfile(StandardProfile.handover.bytes)?.fromSRGB ?? []
      (fromSRGB, profile, model) = (way, bytes, .device(device))
    } else {
      return nil
    }
  }

  /// The space of the photo's own profile.
  ///
  /// Nil if the format cannot store pixels of this space, or if the profile does not fit the
  /// photo's pixels.
  init?(preserving bytes: [UInt8], _ source: SourceColour, in format: any OutputFormat) {
    if format.hidesLinearLight, let profile = ICCProfile(bytes),
      let encoded = StandardProfile(encoding: profile)
    {
      self.init(encoded)
    } else {
      self.init(bytes)
    }
    switch model {
    case .rgb, .grey: if source.fromSRGB == nil { return nil }
    case .device: if source.normalization.isEmpty { return nil }
    }
    if !fits(format) { return nil }
  }

  /// The space of greys with sRGB's curve.
  ///
  /// The file has one channel: the first of three equal sRGB channels.
  static var greyOfSRGB: Space {
    var space = Space(.grey)
    space.fromSRGB = []
    return space
  }

  /// The space of greys for a format that stores only RGB: all three channels are equal.
  static var greyInSRGB: Space {
    var space = Space(.srgb)
    space.fromSRGB = [.curve(.decode), .matrix(ICCProfile.brightness), .curve(.encode)]
    return space
  }

  func fits(_ format: any OutputFormat) -> Bool {
    switch model {
    case .rgb: true
    case .grey: format.keepsGrey
    case .device(let device):
      switch device.model {
      case .rgb: true
      case .grey: format.keepsGrey
      case .cmyk: format.keepsInks
      }
    }
  }
}

extension OutputFormat {
  /// True if most programs clip linear-light colours outside sRGB when they read files of this
  /// format.
  ///
  /// libjxl 0.7 embeds a linear profile in a lossy JPEG XL file as ICC data, not as code points. A
  /// reader without a colour engine, such as libvips, then gets linear sRGB with clipped colours.
  fileprivate var hidesLinearLight: Bool { (self as? JXLFormat)?.lossless == false }
}
