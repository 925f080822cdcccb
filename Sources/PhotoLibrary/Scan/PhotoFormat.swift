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
  /// The family of portable pixmaps: PBM, PGM, PPM, PFM.
  case ppm
  case exr
  /// Radiance RGBE.
  case hdr
}

/// What is a picture, or holds some, and is not read: listed, never a failure.
public enum UnsupportedFormat: String, Sendable, CaseIterable {
  /// A camera's sensor data.
  case raw
  case video
  /// Pages and drawings without a size in pixels: PDF, SVG, PostScript.
  case document
  /// Pictures that only general-purpose converters read: BMP, PSD, ICO, TGA and others.
  case picture
}
