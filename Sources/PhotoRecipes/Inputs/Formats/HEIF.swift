extension InputFormat {
  /// HEIC, and HEIF with any payload but AV1.
  ///
  /// - Source: ISO/IEC 23008-12, 10.
  public static let heif = InputFormat("heif", "a HEIC photo", .photo, "heic heif hif heics heifs")
  { $0.brands.isPicture }
}
