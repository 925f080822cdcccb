/// Every filter that a recipe may name.
public enum Catalog {
  public static let filters: [any Filter.Type] = [
    Background.self,
    BlackAndWhite.self,
    Blacks.self,
    Blur.self,
    Brightness.self,
    ChannelMixer.self,
    ColourBalance.self,
    Contrast.self,
    CropFilter.self,
    Curves.self,
    Duotone.self,
    Exposure.self,
    FalseColour.self,
    Flip.self,
    Gamma.self,
    HSL.self,
    Hue.self,
    Invert.self,
    Levels.self,
    Light.self,
    LookFilter.self,
    MatrixFilter.self,
    Orient.self,
    PadFilter.self,
    Posterize.self,
    ResizeFilter.self,
    Rotate.self,
    Saturation.self,
    Sepia.self,
    Sharpen.self,
    Solarize.self,
    SplitTone.self,
    Threshold.self,
    Tint.self,
    Vibrance.self,
    Vignette.self,
    Watermark.self,
    WhiteBalance.self,
    Whites.self,
  ]

  public static func filter(named name: String) -> (any Filter.Type)? {
    filters.first { $0.name == name }
  }
}
