/// A still picture that phbatch reads.
public enum PhotoFormat: String, Sendable, CaseIterable {
  case jpeg
  case png
  case webp
  case gif
  case tiff
  /// HEIC, and HEIF with any payload but AV1.
  case heif
  case avif
  case jxl
  /// JPEG 2000, in a container or bare.
  case jp2
}

/// What is a picture, or holds some, and is not read: listed, never a failure.
public enum UnsupportedFormat: String, Sendable, CaseIterable {
  /// A camera's sensor data.
  case raw
  case video
  /// Pages and drawings without a size in pixels: PDF, SVG, PostScript.
  case document
  /// Pictures whose decoders libvips does not trust, or does not have: BMP, PSD, EXR, Radiance HDR,
  /// portable pixmaps and others.
  case picture
}
