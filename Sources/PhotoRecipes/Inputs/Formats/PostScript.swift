extension InputFormat {
  /// A PostScript document.
  ///
  /// - Source: Adobe, "PostScript Language Document Structuring Conventions".
  public static let postScript = InputFormat(
    "postscript", "a PostScript document", .document, "eps ps"
  ) { $0.starts("%!PS") }
}
