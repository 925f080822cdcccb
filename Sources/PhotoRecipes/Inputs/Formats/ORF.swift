extension InputFormat {
  /// An Olympus raw photo (ORF).
  ///
  /// - Source: ExifTool 12.57: TIFF with a version of its own.
  public static let orf = InputFormat("orf", "an Olympus raw photo (ORF)", .raw, "orf") {
    $0.starts("IIRO") || $0.starts("IIRS") || $0.starts("MMOR")
  }
}
