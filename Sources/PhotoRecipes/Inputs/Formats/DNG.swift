extension InputFormat {
  /// A raw photo (DNG).
  ///
  /// - Source: Adobe DNG 1.7, 2023: the tag DNGVersion.
  public static let dng = InputFormat("dng", "a raw photo (DNG)", .raw, "dng gpr") {
    $0.tiff?.isDNG == true
  }
}
