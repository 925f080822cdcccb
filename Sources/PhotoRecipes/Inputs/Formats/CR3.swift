extension InputFormat {
  /// A Canon raw photo (CR3).
  ///
  /// - Source: L. Lechelle and others, "Canon CR3", 2018: ISO base media with the brand `crx `.
  public static let cr3 = InputFormat("cr3", "a Canon raw photo (CR3)", .raw, "cr3") {
    $0.brands.major == "crx "
  }
}
