/// Every filter that a recipe may name.
public enum Catalog {
  public static let filters: [any Filter.Type] = [
    Background.self,
    BlackAndWhite.self,
    Bloom.self,
    Blur.self,
    Brightness.self,
    Censor.self,
    Contrast.self,
    CropFilter.self,
    Curves.self,
    Denoise.self,
    Exposure.self,
    Flip.self,
    Gamma.self,
    Hue.self,
    Invert.self,
    Levels.self,
    Median.self,
    Orient.self,
    OutputSharpen.self,
    PadFilter.self,
    Pixelate.self,
    ResizeFilter.self,
    Rotate.self,
    Saturation.self,
    Sepia.self,
    Sharpen.self,
    Soften.self,
    SurfaceBlur.self,
    TiltShift.self,
    Vibrance.self,
    Vignette.self,
    Watermark.self,
    WhiteBalance.self,
  ]

  public static func filter(named name: String) -> (any Filter.Type)? {
    filters.first { $0.name == name }
  }
}
