extension InputFormat {
  /// HEIC or AVIF whose head is a few bytes: the decoders of Debian 12 do not know it.
  ///
  /// - Source: ISO/IEC 23008-12, the `mini` box and brand `mif3`; libheif, pull request 1343.
  public static let minimizedHEIF = InputFormat(
    "minimized-heif", "a HEIF picture with a minimized head ('mini')", .picture
  ) { $0.brands.isMinimized }
}
