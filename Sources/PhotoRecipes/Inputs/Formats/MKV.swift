extension InputFormat {
  /// A Matroska or WebM film.
  ///
  /// - Source: RFC 8794, 11.2.1 (EBML).
  public static let mkv = InputFormat("mkv", "a Matroska or WebM film", .video, "mkv webm") {
    $0.starts([0x1A, 0x45, 0xDF, 0xA3])
  }
}
