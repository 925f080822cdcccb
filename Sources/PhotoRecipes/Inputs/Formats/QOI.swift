extension InputFormat {
  /// A QOI picture.
  ///
  /// - Source: "The Quite OK Image Format", 1.0.
  public static let qoi = InputFormat("qoi", "a QOI picture", .picture, "qoi") { $0.starts("qoif") }
}
