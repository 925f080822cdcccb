extension InputFormat {
  /// Baseline, progressive, CMYK and the rest; MPO and its like begin with one.
  ///
  /// - Source: ITU-T T.81, B.1.1.3.
  public static let jpeg = InputFormat(
    "jpeg", "a JPEG photo", .photo, "jpg jpeg jpe jfif jif mpo insp"
  ) { $0.starts([0xFF, 0xD8, 0xFF]) }
}
