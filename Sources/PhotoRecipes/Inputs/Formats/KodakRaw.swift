extension InputFormat {
  /// A Kodak raw photo.
  ///
  /// - Source: ExifTool 12.57, the TIFF and Kodak tables.
  public static let kodak = InputFormat("kodak", "a Kodak raw photo", .raw, "dcr k25 kdc dcs") {
    $0.tiff?.isRaw(by: "KODAK", "EASTMAN KODAK") == true
  }
}
