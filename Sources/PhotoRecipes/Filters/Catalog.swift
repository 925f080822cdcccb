/// Every filter that a recipe may name.
public enum Catalog {
  public static let filters: [any Filter.Type] = [
    Background.self,
    BlackAndWhite.self,
    Blur.self,
    Border.self,
    Brightness.self,
    Contrast.self,
    CropFilter.self,
    Curves.self,
    Exposure.self,
    Flip.self,
    FrameFilter.self,
    Gamma.self,
    Hue.self,
    Invert.self,
    Levels.self,
    Orient.self,
    PadFilter.self,
    Perspective.self,
    Product.self,
    ResizeFilter.self,
    Rotate.self,
    RoundCorners.self,
    Saturation.self,
    Sepia.self,
    ShadowFilter.self,
    Sharpen.self,
    SmartCrop.self,
    Straighten.self,
    TextFilter.self,
    Trim.self,
    Vibrance.self,
    Vignette.self,
    Watermark.self,
    WhiteBalance.self,
  ]

  public static func filter(named name: String) -> (any Filter.Type)? {
    filters.first { $0.name == name }
  }
}
