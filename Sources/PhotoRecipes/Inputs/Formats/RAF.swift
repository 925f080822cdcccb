extension InputFormat {
  /// A Fujifilm raw photo (RAF).
  ///
  /// - Source: ExifTool 12.57, the Fujifilm tables.
  public static let raf = InputFormat("raf", "a Fujifilm raw photo (RAF)", .raw, "raf") {
    $0.starts("FUJIFILMCCD-RAW")
  }
}
