extension InputFormat {
  /// Formats that are read without a request in the recipe; the first format that matches is used.
  static let photos: [InputFormat] = [
    .jpeg, .png, .gif, .webp, .minimizedHEIF, .avif, .heif, .jxl, .jp2, .tiff,
  ]

  /// A JPEG photo: baseline, progressive, CMYK or other variants.
  ///
  /// MPO and similar files begin with a JPEG photo.
  ///
  /// - Source: ITU-T T.81, B.1.1.3.
  public static let jpeg = InputFormat(
    "jpeg", "a JPEG photo", .photo, "jpg jpeg jpe jfif jif mpo insp",
    loader: .init("jpegload_source")
  ) { $0.starts([0xFF, 0xD8, 0xFF]) }

  /// A PNG picture.
  ///
  /// - Source: PNG Specification, 3rd edition, 5.2.
  public static let png = InputFormat(
    "png", "a PNG picture", .photo, "png apng", loader: .init("pngload_source")
  ) {
    $0.starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
  }

  /// A GIF picture.
  ///
  /// - Source: Graphics Interchange Format, version 89a, section 17.
  public static let gif = InputFormat(
    "gif", "a GIF picture", .photo, "gif", loader: .init("gifload_source", hasFrames: true)
  ) {
    $0.starts("GIF87a") || $0.starts("GIF89a")
  }

  /// A WebP picture.
  ///
  /// - Source: RFC 9649, 2.4.
  public static let webp = InputFormat(
    "webp", "a WebP picture", .photo, "webp", loader: .init("webpload_source", hasFrames: true)
  ) {
    $0.starts("RIFF") && $0.starts("WEBP", at: 8)
  }

  /// HEIC or AVIF with a minimized header of a few bytes; the decoders of Debian 12 do not support
  /// it.
  ///
  /// - Source: ISO/IEC 23008-12, the `mini` box and brand `mif3`; libheif, pull request 1343.
  public static let minimizedHEIF = InputFormat(
    "minimized-heif", "a HEIF picture with a minimized header ('mini')", .picture
  ) { $0.brands.isMinimized }

  /// An AVIF picture.
  ///
  /// - Source: AV1 Image File Format 1.1, 6.
  public static let avif = InputFormat(
    "avif", "an AVIF picture", .photo, "avif avifs",
    loader: .init("heifload_source", hasFrames: true)
  ) {
    $0.brands.isAVIF
  }

  /// A HEIC picture, or another HEIF picture with any coding except AV1.
  ///
  /// - Source: ISO/IEC 23008-12, 10.
  public static let heif = InputFormat(
    "heif", "a HEIC photo", .photo, "heic heif hif heics heifs",
    loader: .init("heifload_source", hasFrames: true)
  ) { $0.brands.isPicture }

  /// A JPEG XL picture: a bare codestream, or one in boxes.
  ///
  /// - Source: ISO/IEC 18181-1 and 18181-2.
  public static let jxl = InputFormat(
    "jxl", "a JPEG XL picture", .photo, "jxl", loader: .init("jxlload_source")
  ) {
    $0.starts([0xFF, 0x0A]) || $0.starts("\0\0\0\u{0C}JXL \r\n")
  }

  /// A JPEG 2000 picture: in boxes, or as a bare codestream.
  ///
  /// - Source: ITU-T T.800, annexes A.4 and I.5.1.
  public static let jp2 = InputFormat(
    "jp2", "a JPEG 2000 picture", .photo, "jp2 j2k j2c jpc jpf jpx",
    loader: .init("phbatch_jp2kload")
  ) {
    $0.starts("\0\0\0\u{0C}jP  \r\n") || $0.starts([0xFF, 0x4F, 0xFF, 0x51])
  }

  /// A TIFF or BigTIFF picture.
  ///
  /// - Source: TIFF 6.0, section 2; libtiff's design note of BigTIFF.
  public static let tiff = InputFormat(
    "tiff", "a TIFF picture", .photo, "tif tiff btf",
    loader: .init("tiffload_source", hasFrames: true)
  ) {
    $0.tiff != nil
  }
}
