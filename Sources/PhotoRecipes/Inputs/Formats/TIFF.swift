extension InputFormat {
  /// TIFF and BigTIFF.
  ///
  /// - Source: TIFF 6.0, section 2; libtiff's design note of BigTIFF.
  public static let tiff = InputFormat("tiff", "a TIFF picture", .photo, "tif tiff btf") {
    $0.tiff != nil
  }
}
