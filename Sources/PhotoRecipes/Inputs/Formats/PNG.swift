extension InputFormat {
  /// A PNG picture.
  ///
  /// - Source: PNG Specification, 3rd edition, 5.2.
  public static let png = InputFormat("png", "a PNG picture", .photo, "png apng") {
    $0.starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
  }
}
