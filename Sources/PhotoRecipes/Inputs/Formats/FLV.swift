extension InputFormat {
  /// A Flash film.
  ///
  /// - Source: Adobe, "Video File Format Specification", version 10.
  public static let flv = InputFormat("flv", "a Flash film", .video, "flv") {
    $0.starts("FLV\u{01}")
  }
}
