extension InputFormat {
  /// A DirectDraw surface.
  ///
  /// - Source: Microsoft, "DDS file layout".
  public static let dds = InputFormat("dds", "a DirectDraw surface", .picture, "dds") {
    $0.starts("DDS ")
  }
}
