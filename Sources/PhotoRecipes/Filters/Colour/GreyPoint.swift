/// Makes a position in the photo, for example on a grey card, neutral grey.
///
/// The colour of the light is a given colour, or the mean, in linear light, of the unclipped pixels
/// within `radius` of the position. The colours are adapted to D65 by Bradford's cone responses in
/// linear light; the luminance of white stays, as in `whiteBalance`. A black or completely clipped
/// position has no colour, and the filter has no effect.
public struct GreyPoint: SamplingFilter {
  public static let name = "greyPoint"
  public static let summary = "Makes a position in the photo, or a given colour, neutral grey."
  public static let settings: [Setting<Self>] =
    sampling(
      place: "The position in the frame; the centre if left out.",
      colour:
        "A colour in place of the position, such as that of a grey card in another photo of the"
        + " same light."
    ) + [
      Setting(
        "strength", \.strength, .number(.fraction, 0...1), identity: 0,
        "The strength of the correction; 1 makes the colour fully grey.")
    ]

  public var sample = ColourSample()
  public var strength = 1.0

  public init() {}

  public func correction(of light: ColourMatrix.Vector) -> ColourMatrix {
    let found = UniformChromaticity.uv(SRGB.xyzFromRGB(light))
    let neutral = UniformChromaticity.neutral
    let adapted = Bradford.adaptation(
      from: UniformChromaticity.xyz(neutral + strength * (found - neutral)),
      to: Primaries.xyz(Primaries.d65))
    return SRGB.rgbFromXYZ.after(adapted).after(SRGB.xyzFromRGB)
  }
}
