extension InputFormat {
  /// A Minolta raw photo (MRW).
  ///
  /// - Source: D. Coffin, "Minolta raw", in dcraw 9.28.
  public static let mrw = InputFormat("mrw", "a Minolta raw photo (MRW)", .raw, "mrw") {
    $0.starts("\0MRM")
  }
}
