/// Makes a place of the photo, such as a grey card in it, neutral grey.
///
/// The light is taken to have the colour of the mean, in linear light, of what lies within `radius`
/// of the place and is not clipped, or the colour that is given. The colours are adapted to D65 by
/// Bradford's cone responses in linear light, and keep the luminance of white, as `whiteBalance` does.
/// A place that is black or all clipped has no colour, and changes nothing.
public struct GreyPoint: SamplingFilter {
  public static let name = "greyPoint"
  public static let summary = "Makes a place of the photo, or a given colour, neutral grey."
  public static let settings: [Setting<Self>] =
    sampling(
      place: "The place in the frame; the middle if left out.",
      colour: "The colour instead, as a grey card has it in another photo of that light.") + [
      Setting(
        "strength", \.strength, .number(.fraction, 0...1), identity: 0, "How far it becomes grey.")
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
