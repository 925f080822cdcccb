extension InputFormat {
  /// A PDF document.
  ///
  /// - Source: ISO 32000-1, 7.5.2.
  public static let pdf = InputFormat("pdf", "a PDF document", .document, "pdf ai", request: "pdf")
  { $0.starts("%PDF-") }
}
