extension InputFormat {
  /// A QuickTime film.
  ///
  /// - Source: Apple, "QuickTime File Format", 2001: files before 2004 have no `ftyp`.
  public static let mov = InputFormat("mov", "a QuickTime film", .video, "mov") {
    $0.brands.major == "qt  "
      || ["moov", "mdat", "wide", "pnot"].contains { [head = $0] in head.starts($0, at: 4) }
  }
}
