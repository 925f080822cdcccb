extension BinaryInteger {
  /// The number with what it counts: `1 mask`, `2 masks`.
  public func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
