extension InputFormat {
  /// A FITS picture.
  ///
  /// - Source: FITS Standard 4.0, 4.4.1.
  public static let fits = InputFormat(
    "fits", "a FITS picture", .picture, "fit fits fts", request: "fits"
  ) { $0.starts("SIMPLE  =") }
}
