extension InputFormat {
  /// A Nikon raw photo (NEF).
  ///
  /// - Source: ExifTool 12.57, the TIFF and Nikon tables.
  public static let nef = InputFormat("nef", "a Nikon raw photo (NEF)", .raw, "nef nrw") {
    $0.tiff?.isRaw(by: "NIKON") == true
  }
}
