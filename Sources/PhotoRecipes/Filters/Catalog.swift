/// Every filter that a recipe may name.
public enum Catalog {
  public static let filters: [any Filter.Type] = [
    AutoExposure.self,
    AutoLevels.self,
    AutoWhiteBalance.self,
    Background.self,
    BlackAndWhite.self,
    Blur.self,
    Brightness.self,
    Clahe.self,
    Clarity.self,
    Contrast.self,
    CropFilter.self,
    Curves.self,
    Dehaze.self,
    Equalize.self,
    Exposure.self,
    Flip.self,
    Gamma.self,
    Highlights.self,
    Hue.self,
    Invert.self,
    Levels.self,
    Normalize.self,
    Orient.self,
    PadFilter.self,
    ResizeFilter.self,
    Rotate.self,
    Saturation.self,
    Sepia.self,
    Shadows.self,
    Sharpen.self,
    Texture.self,
    Vibrance.self,
    Vignette.self,
    Watermark.self,
    WhiteBalance.self,
  ]

  public static func filter(named name: String) -> (any Filter.Type)? {
    filters.first { $0.name == name }
  }
}
