extension Int {
  /// The number with what it counts: `1 mask`, `2 masks`.
  func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
