extension InputFormat {
  /// Raw photos of other makers, as far as they are TIFF files or their names say it.
  public static let raw = InputFormat(
    "raw", "a raw photo", .raw,
    "3fr ari bay drf eip erf fff mdc mef mos pxn raw"
  ) { $0.tiff?.isRaw == true }
}
