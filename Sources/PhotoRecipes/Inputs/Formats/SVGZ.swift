extension InputFormat {
  /// A drawing compressed by gzip: libvips 8.14 may not come back from looking into one.
  ///
  /// - Source: RFC 1952, 2.3.1.
  public static let svgz = InputFormat(
    "svgz", "a compressed SVG drawing", .document, "svgz", request: "svg", isWeak: true
  ) { $0.starts([0x1F, 0x8B, 8]) }
}
