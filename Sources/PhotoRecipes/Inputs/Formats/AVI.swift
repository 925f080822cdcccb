extension InputFormat {
  /// An AVI film.
  ///
  /// - Source: Microsoft, "AVI RIFF File Reference".
  public static let avi = InputFormat("avi", "an AVI film", .video, "avi") {
    $0.starts("RIFF") && $0.starts("AVI ", at: 8)
  }
}
