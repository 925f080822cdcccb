extension InputFormat {
  /// A GIMP document.
  ///
  /// - Source: GIMP, "XCF file format".
  public static let xcf = InputFormat("xcf", "a GIMP document", .picture, "xcf") {
    $0.starts("gimp xcf")
  }
}
