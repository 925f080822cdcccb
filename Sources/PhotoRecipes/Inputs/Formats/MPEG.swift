extension InputFormat {
  /// An MPEG film.
  ///
  /// - Source: ISO/IEC 11172-1 and -2: a pack, or a sequence header.
  public static let mpeg = InputFormat("mpeg", "an MPEG film", .video, "mpg mpeg vob") {
    $0.starts([0, 0, 1, 0xBA]) || $0.starts([0, 0, 1, 0xB3])
  }
}
