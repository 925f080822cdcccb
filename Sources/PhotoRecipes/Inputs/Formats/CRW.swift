extension InputFormat {
  /// A Canon raw photo (CRW).
  ///
  /// - Source: P. Harvey, "The Canon RAW (CRW) File Format", 2005.
  public static let crw = InputFormat("crw", "a Canon raw photo (CRW)", .raw, "crw") {
    $0.starts("HEAPCCDR", at: 6)
  }
}
