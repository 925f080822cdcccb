extension InputFormat {
  /// A Canon raw photo (CR2).
  ///
  /// - Source: ExifTool 12.57, the Canon raw tables.
  public static let cr2 = InputFormat("cr2", "a Canon raw photo (CR2)", .raw, "cr2") {
    $0.tiff != nil && $0.starts([0x43, 0x52, 2], at: 8)
  }
}
