import PhotoRecipes

/// Converts an ASC CDL file to one step.
enum ColourDecisionImport {
  /// Returns a recipe with the file's first correction; adds a note for each other correction,
  /// which is dropped.
  static func draft(of decisions: [ColourDecision]) -> RecipeDraft {
    var draft = RecipeDraft()
    guard let decision = decisions.first else { return draft }
    let space = decision.input.flatMap { GradingSpace(rawValue: $0) } ?? .srgb
    let held = draft.add(CDL.self, decimals: 12) {
      $0.slope = decision.slope ?? $0.slope
      $0.offset = decision.offset ?? $0.offset
      $0.power = decision.power ?? $0.power
      $0.saturation = decision.saturation ?? 1
      $0.decisionSpace = space
    }
    let reason = "the same formula in the space \(space), without its clipping to 0…1" + held
    func note(_ name: String, _ values: SIMD3<Double>?, identity: Double) {
      guard let values, values != .init(repeating: identity) else { return }
      let text = "\(values.x.brief) \(values.y.brief) \(values.z.brief)"
      draft.approximate(name, text, CDL.name, reason)
    }
    note("Slope", decision.slope, identity: 1)
    note("Offset", decision.offset, identity: 0)
    note("Power", decision.power, identity: 1)
    if let saturation = decision.saturation, saturation != 1 {
      draft.approximate("Saturation", saturation.brief, CDL.name, reason)
    }
    for other in decisions.dropFirst() {
      draft.drop("ColorCorrection", other.id ?? "", "the recipe has the file's first correction")
    }
    return draft
  }
}
