extension InputFormat {
  /// Phase One writes who it is where other TIFF files may begin.
  ///
  /// - Source: ExifTool 12.57, the Phase One tables.
  public static let iiq = InputFormat("iiq", "a Phase One raw photo (IIQ)", .raw, "iiq cap") {
    $0.tiff != nil && ($0.starts("IIII", at: 8) || $0.starts("MMMM", at: 8))
  }
}
