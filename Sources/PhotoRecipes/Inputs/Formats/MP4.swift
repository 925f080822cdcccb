extension InputFormat {
  /// An MP4 film.
  ///
  /// - Source: ISO/IEC 14496-12, 4.3.
  public static let mp4 = InputFormat("mp4", "an MP4 film", .video, "mp4 m4v 3gp 3g2 insv lrv") {
    $0.brands.isFilm
  }
}
