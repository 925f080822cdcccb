extension RawTherapeeImport {
  /// RawTherapee's values of settings that a partial profile may leave out.
  ///
  /// Settings are listed if they are read, and if the default is not the value without effect. A
  /// group without its switch `Enabled` is off; groups that had no switch in earlier versions are
  /// not listed.
  static let defaults = [
    "Black & White.Enabled": "false",
    "Common Properties for Transformations.AutoFill": "true",
    "Crop.Enabled": "false",
    "Dehaze.Enabled": "false", "Dehaze.Strength": "50",
    "Directional Pyramid Denoising.Enabled": "false",
    "LensProfile.UseDistortion": "true", "LensProfile.UseVignette": "true",
    "Local Contrast.Amount": "0.2", "Local Contrast.Enabled": "false",
    "PCVignette.Enabled": "false", "PCVignette.Strength": "0.6",
    "Shadows & Highlights.Enabled": "false",
    "SharpenMicro.Enabled": "false", "SharpenMicro.Strength": "20",
    "Sharpening.Enabled": "false",
    "Vibrance.Enabled": "false",
  ]
}
