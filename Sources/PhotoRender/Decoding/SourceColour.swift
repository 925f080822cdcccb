import PhotoRecipes
import Vips

/// The conversion of a photo's samples to display-encoded sRGB, and the operations that precede the
/// graph.
struct SourceColour: Sendable, Hashable {
  /// The operations that convert the loaded image to RGB samples of `format`.
  var normalization: [Pipeline.Call.Step]
  /// The format of the samples to which `toSRGB` applies.
  private(set) var format: SampleFormat
  /// The instructions from these samples to display-encoded sRGB.
  var toSRGB: [PointProgram.Instruction]
  /// The inverse instructions, for outputs that preserve the photo's space; nil if there is no
  /// inverse.
  var fromSRGB: [PointProgram.Instruction]?
  /// True if `normalization` may clip colours without counting them.
  private(set) var mayClip = false
  /// True if the photo has only brightness.
  let isGrey: Bool
  /// True if `toSRGB` applies the photo's gain map, which it reads as image 0.
  private(set) var readsGains = false
  var warning: String?

  /// True if the stored sample values do not change; greys become three equal channels.
  var keepsSamples: Bool {
    normalization.isEmpty || isGrey && normalization.map(\.operation) == Self.spreading
  }

  /// Creates the conversion of a photo for HDR displays: light above white stays above 1, and the
  /// photo's gain map is applied.
  static func unlimited(
    _ header: PhotoHeader, leadingTo space: StandardProfile
  ) -> SourceColour {
    var colour = SourceColour(header, leadingTo: space)
    if let range = header.dynamicRange, colour.warning == range.warning {
      (colour.toSRGB, colour.warning) = (range.unlimited, nil)
    } else if let gains = header.gains {
      let way = colour.toSRGB
      // The gains apply to linear light of the photo's own colours.
      let isLinear = way.last == .curve(.encode)
      let start = isLinear ? Array(way.prefix(1)) : way + [.curve(.decode)]
      let end = isLinear ? Array(way.dropFirst()) : [.curve(.encode)]
      colour.toSRGB = start + gains.program + end
      colour.readsGains = true
      colour.fromSRGB = nil
    }
    return colour
  }

  /// Creates the conversion of a photo.
  ///
  /// If the photo's profile has tables, the tables convert the colours to `space`.
  init(_ header: PhotoHeader, leadingTo space: StandardProfile = .srgb) {
    normalization = []
    toSRGB = []
    fromSRGB = []
    format = .integer(depth: header.depth)
    let profile = header.profile.flatMap { ICCProfile($0) }
    if header.profile != nil && profile == nil {
      warning = "the embedded colour profile is damaged and was ignored"
    }
    let isCMYK = header.interpretation == "cmyk"
    let wide = header.format.size > 1
    let colours = header.bands - (header.hasAlpha ? 1 : 0)
    isGrey = colours == 1 && !isCMYK
    if header.isLab {
      normalization = Self.rootsOfLab(wide)
      (format, toSRGB, fromSRGB, warning) = (.float, Self.rootsToSRGB, nil, nil)
      return
    }
    switch profile {
    case .table(let model, let isRelative) where model == Self.space(isCMYK, colours):
      takeTables(embedded: true, isRelative: isRelative, wide, space)
    case _ where isCMYK:
      takeTables(embedded: false, isRelative: true, wide, space)
      warning = "the photo is CMYK without a usable profile: a generic profile was used"
    case .matrix where colours == 3, .grey where colours == 1:
      toSRGB = profile?.toSRGB ?? []
      fromSRGB = profile?.fromSRGB
    // A grey has equal channels in every RGB space, so only the curve matters, not the primaries.
    case .matrix(let red, let green, let blue, _) where colours == 1 && red == green && red == blue:
      toSRGB = profile?.isSRGB == true ? [] : ICCProfile.grey(red).toSRGB ?? []
      fromSRGB = nil
    case .some:
      warning = "the embedded colour profile does not fit the photo's \(colours) channels"
    case nil: break
    }
    if normalization.isEmpty && header.holdsLight(colours) {
      normalization = Self.dividing(header) + Self.light(colours, wide ? "rgb16" : "srgb")
      format = .float
      if let range = header.dynamicRange {
        (toSRGB, fromSRGB, warning) = (range.toSRGB, nil, range.warning)
      } else if toSRGB.isEmpty && header.fileFormat != .jxl {
        toSRGB = [.curve(.encode)]
      }
      if header.fileFormat == .hdr { normalization = [.init(.vips(.rad2float))] + normalization }
      return
    }
    if let range = header.dynamicRange, colours == 3 || colours == 1 {
      toSRGB = range.toSRGB
      fromSRGB = nil
      warning = range.warning
    }
    let usual = wide ? "rgb16" : "srgb"
    let scaled = Self.scaling(header)
    let isInteger = header.format == .uchar || header.format == .ushort || !scaled.isEmpty
    let isPlain = colours == 3 && isInteger
    if normalization.isEmpty && isPlain && Self.plain.contains(header.interpretation) {
      if header.interpretation != usual {
        normalization = [.init(.vips(.copy), ["interpretation": .choice(usual)])]
      }
    } else if normalization.isEmpty {
      // Every integer grey is a valid colour, so no grey is clipped.
      mayClip = !(colours == 1 && isInteger)
      // The conversion may leave signed or wider samples unchanged, so a cast follows.
      normalization = [
        .init(.vips(.colourspace), ["space": .choice(usual)]),
        .init(
          .vips(.cast), ["format": .choice(SampleFormat.integer(depth: header.depth).rawValue)]),
      ]
    }
    normalization = Self.dividing(header) + normalization
    if header.fileFormat == .hdr { normalization = [.init(.vips(.rad2float))] + normalization }
    normalization = scaled + Self.stretching(header) + normalization
  }

  /// Scales samples to 0…255 or 0…65,535: signed and 32-bit integers of a TIFF file, and floats of
  /// a JPEG XL file if a profile's tables convert its colours.
  private static func scaling(_ header: PhotoHeader) -> [Pipeline.Call.Step] {
    if header.fileFormat == .jxl && header.format == .float {
      return [
        .init(.vips(.linear), ["a": .numbers([65_535]), "b": .numbers([0.5])]),
        .init(.vips(.cast), ["format": .choice(SampleFormat.ushort.rawValue)]),
        .init(.vips(.copy), ["interpretation": .choice(header.bands < 3 ? "grey16" : "rgb16")]),
      ]
    }
    let tops: [Format: Double] = [
      .char: 127, .short: 32_767, .uint: 4_294_967_295, .int: 2_147_483_647,
    ]
    guard header.fileFormat == .tiff, let top = tops[header.format],
      (plain + ["b-w", "grey16", "cmyk"]).contains(header.interpretation)
    else { return [] }
    let format = SampleFormat.integer(depth: header.depth)
    let isGrey = ["b-w", "grey16"].contains(header.interpretation)
    let grey = format == .ushort ? "grey16" : "b-w"
    return [
      // The cast truncates; adding 0.5 makes it round.
      .init(.vips(.linear), ["a": .numbers([format.maximum / top]), "b": .numbers([0.5])]),
      .init(.vips(.cast), ["format": .choice(format.rawValue)]),
    ] + (isGrey ? [.init(.vips(.copy), ["interpretation": .choice(grey)])] : [])
  }

  /// Stretches samples so that full light is 255 or 65,535.
  ///
  /// In the file, full light may be 1023 or 4095 times a power of 2, and grey and alpha may range
  /// from 16 to 235 on an 8-bit scale.
  ///
  /// - Source: ITU-T H.273 (07/2021), 8.3, equation 26.
  private static func stretching(_ header: PhotoHeader) -> [Pipeline.Call.Step] {
    let isLimited = header.hasLimitedGrey || header.hasLimitedAlpha
    guard isLimited || header.significantBits != nil else { return [] }
    let (most, unit, format) =
      header.format == .uchar
      ? (255.0, 1.0, SampleFormat.uchar) : (65_535, 256, SampleFormat.ushort)
    let top = header.significantBits.map { Double(65_536 - (1 << (16 - $0))) } ?? most
    // The cast truncates; adding 0.5 makes it round.
    let full = (a: most / top, b: 0.5)
    let limited = (a: most / (219 * unit), b: 0.5 - 16 * most / 219)
    var bands = [full]
    if isLimited {
      bands = Array(repeating: header.hasLimitedGrey ? limited : full, count: header.bands)
      if header.hasAlpha { bands[bands.count - 1] = header.hasLimitedAlpha ? limited : full }
    }
    return [
      .init(.vips(.linear), ["a": .numbers(bands.map(\.a)), "b": .numbers(bands.map(\.b))]),
      .init(.vips(.cast), ["format": .choice(format.rawValue)]),
    ]
  }

  /// Makes colours independent of alpha, and scales the alpha of floats to 0…1.
  private static func dividing(_ header: PhotoHeader) -> [Pipeline.Call.Step] {
    header.alphaMixing.steps(header.format, bands: header.bands)
  }

  /// The operations that produce three channels of 32-bit float; a single channel is repeated.
  private static func light(_ colours: Int, _ space: String) -> [Pipeline.Call.Step] {
    let three = [1.0, 1, 1]
    let spread = Pipeline.Call.Step(
      .vips(.linear), ["a": .numbers(three), "b": .numbers(three.map { _ in 0 })])
    return (colours == 1 ? [spread] : []) + [
      .init(.vips(.cast), ["format": .choice(SampleFormat.float.rawValue)]),
      .init(.vips(.copy), ["interpretation": .choice(space)]),
    ]
  }

  /// The operations that convert CIELAB to the cube roots of X, Y and Z relative to white, except
  /// for a matrix.
  private static func rootsOfLab(_ wide: Bool) -> [Pipeline.Call.Step] {
    // libvips packs 8 bits of lightness into the upper bits of 10, so that 255 becomes 1020 of 1023.
    let white = wide ? 1 : 1020.0 / 1023
    return [
      .init(.vips(.colourspace), ["space": .choice("lab")]),
      .init(
        .vips(.linear),
        [
          "a": .numbers([1 / 116.0 / white, 1 / 500.0, 1 / 200.0]),
          "b": .numbers([16 / 116.0, 0, 0]),
        ]),
    ] + light(3, wide ? "rgb16" : "srgb")
  }

  /// The instructions from the result of `rootsOfLab` to display-encoded sRGB.
  ///
  /// White is D50, as in Photoshop and in ICC profiles. libvips assumes D65.
  ///
  /// - Source: ISO/CIE 11664-4:2019.
  private static let rootsToSRGB: [PointProgram.Instruction] = {
    let (knee, slope) = (6 / 29.0, 108 / 841.0)
    let white = ColourMatrix.diagonal(.init(0.9642, 1, 0.8249))
    return [
      .matrix(ColourMatrix(.init(1, 1, 0), .init(1, 0, 0), .init(1, 0, -1))), .curve(.nonNegative),
      .curve(.parametric(g: 3, a: 1, b: 0, c: slope, d: knee, e: 0, f: -slope * 4 / 29)),
      .matrix(StandardProfile.srgbFromXYZ50.after(white)), .curve(.encode),
    ]
  }()

  private static let plain = ["srgb", "rgb", "rgb16", "multiband"]

  private static func space(_ isCMYK: Bool, _ colours: Int) -> String {
    if isCMYK { return "CMYK" }
    return colours == 1 ? "GRAY" : "RGB "
  }

  /// The space to which a profile's tables convert the photo's colours: the output's own space, so
  /// that Little CMS computes the output's colours.
  static func space(for output: Output) -> StandardProfile { space(of: output.profile) }

  private static func space(of profile: OutputProfile) -> StandardProfile {
    switch profile {
    case .srgb, .grey: .srgb
    case .displayP3: .displayP3
    case .adobeRGB: .adobeRGB
    case .proPhoto: .proPhoto
    case .rec2020: .rec2020
    // For profiles of presses or displays, Little CMS computes the device values from this space.
    case .preserve, .file: StandardProfile.handover
    }
  }

  /// Adds a conversion by the profile's tables.
  ///
  /// The conversion is relative colorimetric with black point compensation. If the profile has
  /// tables only for the perceptual intent, that intent is used, because libvips 8.14 would
  /// otherwise treat the colours as sRGB.
  private mutating func takeTables(
    embedded: Bool, isRelative: Bool, _ wide: Bool, _ space: StandardProfile
  ) {
    let isSRGB = space == .srgb
    var arguments: [String: Pipeline.Value] = [
      "output-profile": isSRGB
        ? .text("srgb") : .profile(DeviceProfile(model: .rgb, bytes: space.bytes)),
      "intent": .choice(isRelative ? "relative" : "perceptual"),
      "black-point-compensation": .flag(isRelative),
      // A space larger than sRGB gets 16 bits, because 8-bit steps would be visible there.
      "depth": .integer(wide || !isSRGB ? 16 : 8),
    ]
    if embedded {
      arguments["embedded"] = .flag(true)
    } else {
      arguments["input-profile"] = .text("cmyk")
    }
    normalization = [.init(.importByTables, arguments)]
    mayClip = true
    guard !isSRGB, let own = ICCProfile(space.bytes) else { return }
    format = .ushort
    (toSRGB, fromSRGB) = (own.toSRGB ?? [], own.fromSRGB)
  }

  private static let spreading: [Pipeline.Operation] = [.vips(.colourspace), .vips(.cast)]

  /// True if tables of a profile compute the photo's colours.
  var isByTables: Bool { normalization.contains { $0.operation == .importByTables } }
}

extension PhotoHeader {
  /// True if the samples of a TIFF file are CIELAB.
  var isLab: Bool { ["lab", "labs"].contains(interpretation) }

  /// True if samples are floating-point values of which 1 is white and higher values are brighter.
  ///
  /// The samples are linear light, unless a profile states a curve. Samples of JPEG XL are sRGB,
  /// unless a profile states another space.
  ///
  /// FITS samples are excluded, because they have no scale.
  fileprivate func holdsLight(_ colours: Int) -> Bool {
    guard [.float, .double].contains(format),
      [.tiff, .exr, .hdr, .ppm, .jxl].contains(fileFormat) || raw != nil
    else { return false }
    return colours == 1 && bands == 1 || colours == 3 && interpretation == "scrgb"
  }
}
