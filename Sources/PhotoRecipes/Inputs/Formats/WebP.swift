extension InputFormat {
  /// A WebP picture.
  ///
  /// - Source: RFC 9649, 2.4.
  public static let webp = InputFormat("webp", "a WebP picture", .photo, "webp") {
    $0.starts("RIFF") && $0.starts("WEBP", at: 8)
  }
}
