extension InputFormat {
  /// An AVIF picture.
  ///
  /// - Source: AV1 Image File Format 1.1, 6.
  public static let avif = InputFormat("avif", "an AVIF picture", .photo, "avif avifs") {
    $0.brands.isAVIF
  }
}
