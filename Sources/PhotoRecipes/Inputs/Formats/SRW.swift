extension InputFormat {
  /// A Samsung raw photo (SRW).
  ///
  /// - Source: ExifTool 12.57, the TIFF and Samsung tables.
  public static let srw = InputFormat("srw", "a Samsung raw photo (SRW)", .raw, "srw") {
    $0.tiff?.isRaw(by: "SAMSUNG") == true
  }
}
