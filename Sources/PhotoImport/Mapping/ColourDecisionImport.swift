import PhotoRecipes

/// Converts an ASC CDL file to one step.
enum ColourDecisionImport {
  private static let decimals = 12

  /// Returns a recipe with the file's first correction; adds a note for each other correction,
  /// which is dropped.
  static func draft(of decisions: [ColourDecision]) -> RecipeDraft {
    var draft = RecipeDraft()
    guard let decision = decisions.first else { return draft }
    let space = decision.input.flatMap { GradingSpace(rawValue: $0) } ?? .srgb
    var wanted = CDL()
    wanted.slope = decision.slope ?? wanted.slope
    wanted.offset = decision.offset ?? wanted.offset
    wanted.power = decision.power ?? wanted.power
    wanted.saturation = decision.saturation ?? wanted.saturation
    wanted.decisionSpace = space
    var held = wanted
    _ = held.holdToRanges(decimals)
    _ = draft.add(CDL.self, decimals: decimals) { $0 = wanted }
    func note(_ name: String, _ values: [Double], _ kept: [Double], identity: Double) {
      guard values.contains(where: { $0 != identity }) else { return }
      let text = values.map(\.brief).joined(separator: " ")
      let isHeld = zip(values, kept).contains { abs($0 - $1) >= 1e-9 }
      draft.approximate(
        name, text, CDL.name,
        "the same formula in the space \(space), without its clipping to 0…1"
          + (isHeld ? "; limited to the range of '\(CDL.name)'" : ""))
    }
    note("Slope", wanted.slope.numbers, held.slope.numbers, identity: 1)
    note("Offset", wanted.offset.numbers, held.offset.numbers, identity: 0)
    note("Power", wanted.power.numbers, held.power.numbers, identity: 1)
    note("Saturation", [wanted.saturation], [held.saturation], identity: 1)
    for other in decisions.dropFirst() {
      draft.drop("ColorCorrection", other.id ?? "", "the recipe has the file's first correction")
    }
    return draft
  }
}

extension SIMD3<Double> {
  fileprivate var numbers: [Double] { [x, y, z] }
}
