extension InputFormat {
  /// A Sony raw photo (ARW).
  ///
  /// - Source: ExifTool 12.57, the TIFF and Sony tables.
  public static let arw = InputFormat("arw", "a Sony raw photo (ARW)", .raw, "arw sr2 srf") {
    $0.tiff?.isRaw(by: "SONY") == true
  }
}
