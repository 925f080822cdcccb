extension InputFormat {
  /// A Pentax raw photo (PEF).
  ///
  /// - Source: ExifTool 12.57, the TIFF and Pentax tables.
  public static let pef = InputFormat("pef", "a Pentax raw photo (PEF)", .raw, "pef ptx") {
    $0.tiff?.isRaw(by: "PENTAX", "RICOH", "ASAHI") == true
  }
}
