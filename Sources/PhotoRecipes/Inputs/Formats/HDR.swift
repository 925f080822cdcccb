extension InputFormat {
  /// A Radiance HDR picture.
  ///
  /// - Source: G. Ward, "Radiance File Formats".
  public static let hdr = InputFormat(
    "hdr", "a Radiance HDR picture", .picture, "hdr rgbe", request: "hdr"
  ) { $0.starts("#?RADIANCE") || $0.starts("#?RGBE") }
}
