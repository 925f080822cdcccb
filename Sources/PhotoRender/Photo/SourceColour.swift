import PhotoRecipes
import Vips

/// How a photo's values become display-encoded sRGB, and what is done for it before the graph.
struct SourceColour: Sendable, Hashable {
  /// Operations on the loaded image that make it RGB, 8 or 16 bits.
  var normalization: [Pipeline.Call.Step]
  /// Instructions from there to display-encoded sRGB.
  var toSRGB: [PointProgram.Instruction]
  /// Instructions back, for outputs that preserve the photo's space.
  var fromSRGB: [PointProgram.Instruction]?
  var warning: String?

  init(_ header: PhotoHeader) {
    normalization = []
    toSRGB = []
    fromSRGB = []
    let profile = header.profile.flatMap { ICCProfile($0) }
    if header.profile != nil && profile == nil {
      warning = "the embedded colour profile is damaged and was ignored"
    }
    let isCMYK = header.interpretation == "cmyk"
    let wide = header.format.size > 1
    let colours = header.bands - (header.hasAlpha ? 1 : 0)
    switch profile {
    case .table(let space, let isRelative) where space == Self.space(isCMYK, colours):
      normalization = [Self.byLittleCMS(embedded: true, isRelative: isRelative, wide)]
    case _ where isCMYK:
      normalization = [Self.byLittleCMS(embedded: false, isRelative: true, wide)]
      warning = "the photo is CMYK without a usable profile: a generic one was used"
    case .matrix where colours == 3, .grey where colours == 1:
      toSRGB = profile?.toSRGB ?? []
      fromSRGB = profile?.fromSRGB
    case .some:
      warning = "the embedded colour profile does not fit the photo's \(colours) channels"
    case nil: break
    }
    let usual = wide ? "rgb16" : "srgb"
    let isPlain = colours == 3 && (header.format == .uchar || header.format == .ushort)
    if normalization.isEmpty && isPlain && Self.plain.contains(header.interpretation) {
      if header.interpretation != usual {
        normalization = [.init("copy", ["interpretation": .choice(usual)])]
      }
    } else if normalization.isEmpty {
      // The conversion may leave signed or wider samples as they are.
      normalization = [
        .init("colourspace", ["space": .choice(usual)]),
        .init("cast", ["format": .choice(SampleFormat.integer(depth: header.depth).rawValue)]),
      ]
    }
  }

  private static let plain = ["srgb", "rgb", "rgb16", "multiband"]

  private static func space(_ isCMYK: Bool, _ colours: Int) -> String {
    if isCMYK { return "CMYK" }
    return colours == 1 ? "GRAY" : "RGB "
  }

  /// Relative colorimetric with black point compensation, to sRGB; perceptual for a profile that has
  /// tables for nothing else, as libvips 8.14 would take its colours for sRGB.
  private static func byLittleCMS(
    embedded: Bool, isRelative: Bool, _ wide: Bool
  ) -> Pipeline.Call.Step {
    var arguments: [String: Pipeline.Value] = [
      "output-profile": .text("srgb"),
      "intent": .choice(isRelative ? "relative" : "perceptual"),
      "black-point-compensation": .flag(isRelative), "depth": .integer(wide ? 16 : 8),
    ]
    if embedded {
      arguments["embedded"] = .flag(true)
    } else {
      arguments["input-profile"] = .text("cmyk")
    }
    return .init("icc_transform", arguments)
  }
}
