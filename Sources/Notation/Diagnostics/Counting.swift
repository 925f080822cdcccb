extension BinaryInteger {
  /// The number with a noun in singular or plural: `1 mask`, `2 masks`.
  public func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
