/// Corrects the colour of the light so that skin gets the hue that people like skin to have.
///
/// Skin's present colour is the mean, in linear light, of what lies within `radius` of a place on it
/// and is not clipped, or the colour that is given; faces are not looked for. The wanted one has the
/// same lightness, the hue 48° and the chroma 25 of CIELAB, less in proportion below a lightness of
/// 50, as dark skin has; `warmth` w adds 8° × w to the hue and multiplies the chroma by 1 + 0.4 w. The
/// photo is adapted from the one chromaticity to that which lies `strength` of the way, in CIE 1960 uv,
/// to the other, by Bradford's cone responses in linear light, and keeps the luminance of white: greys
/// move as under another light, and no colour is painted. A way longer than 0.06 is cut there: what is
/// so far off is no skin, or no light that can be undone. A place that is black or all clipped changes
/// nothing.
/// - Source: S.-H. Chen, H.-S. Chen, N. Ohta, M. R. Luo, "The Effect of Chromatic and Lightness
///   Components for Preferred Skin Color Reproduction on a Display", J. Imaging Science and Technology
///   57 (2013): chroma 25.4, hue 50.5°. Later experiments of Luo's with four kinds of skin found 24.7
///   and 46.1° for all of them. The two skins of the ColorChecker have the chromas 25 and 19.
public struct SkinTone: SamplingFilter {
  public static let name = "skinTone"
  public static let summary = "Corrects the light so that skin gets a pleasing hue."
  public static let settings: [Setting<Self>] =
    sampling(
      place: "A place on the skin; the middle if left out.",
      colour: "The skin's present colour instead.") + [
      Setting(
        "strength", \.strength, .number(.fraction, 0...1), identity: 0,
        "How far the skin gets the wanted colour."),
      Setting(
        "warmth", \.warmth, .number(.strength, -1...1),
        "Whether that is paler and rosier, −1, or more golden, 1."),
    ]

  public var sample = ColourSample()
  public var strength = 0.5
  public var warmth = 0.0

  public init() {}

  public func correction(of light: ColourMatrix.Vector) -> ColourMatrix {
    let skin = SRGB.xyzFromRGB(light)
    let found = UniformChromaticity.uv(skin)
    let way = UniformChromaticity.uv(wanted(LabColour.lightness(skin)).xyz) - found
    let length = (way * way).sum().squareRoot()
    let part = strength * min(1, Self.farthest / max(length, .leastNormalMagnitude))
    let adapted = Bradford.adaptation(
      from: UniformChromaticity.xyz(found), to: UniformChromaticity.xyz(found + part * way))
    let white = Primaries.xyz(Primaries.d65)
    let kept = ColourMatrix.diagonal(.init(repeating: 1 / adapted(white).y)).after(adapted)
    return SRGB.rgbFromXYZ.after(kept).after(SRGB.xyzFromRGB)
  }

  /// In CIE 1960 uv.
  private static let farthest = 0.06

  /// The skin that is liked, of some lightness.
  private func wanted(_ lightness: Double) -> LabColour {
    LabColour(
      lightness: lightness, chroma: 25 * min(1, lightness / 50) * (1 + 0.4 * warmth),
      hue: 48 + 8 * warmth)
  }
}
