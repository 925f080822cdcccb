/// Every filter that a recipe may name.
public enum Catalog {
  public static let filters: [any Filter.Type] = [
    Background.self,
    BlackAndWhite.self,
    Blur.self,
    Brightness.self,
    Contrast.self,
    CropFilter.self,
    Curves.self,
    Exposure.self,
    Flip.self,
    Gamma.self,
    GrainFilter.self,
    Hue.self,
    Invert.self,
    Levels.self,
    Lut.self,
    Orient.self,
    PadFilter.self,
    ResizeFilter.self,
    Rotate.self,
    Saturation.self,
    Sepia.self,
    Sharpen.self,
    Vibrance.self,
    Vignette.self,
    Watermark.self,
    WhiteBalance.self,
  ]

  public static func filter(named name: String) -> (any Filter.Type)? {
    filters.first { $0.name == name }
  }
}
