extension InputFormat {
  /// A Panasonic raw photo (RW2).
  ///
  /// - Source: ExifTool 12.57: TIFF with a version of its own.
  public static let rw2 = InputFormat("rw2", "a Panasonic raw photo (RW2)", .raw, "rw2 rwl") {
    $0.starts("IIU\0")
  }
}
