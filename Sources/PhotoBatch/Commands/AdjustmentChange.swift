import Notation
public import PhotoLibrary
public import PhotoRecipes

/// The change that `adjust` makes to the photos' own settings.
public struct AdjustmentChange: Sendable {
  /// The new values, each with its setting as `step.setting`.
  public var assignments: [Assignment] = []
  /// The settings to remove, as `step.setting`, so that the recipe's values apply again.
  public var unset: [String] = []
  /// The variant whose stack is changed; nil for the main stack or a photo's only stack.
  public var variant: String?
  /// The recipe whose adjustment is changed, even if no run has used it yet; nil for the newest
  /// adjustment of the stack.
  public var document: RecipeDocument?
  /// The `--set` arguments of the runs for which the settings are meant; with `document` only.
  public var runAssignments: [Assignment] = []
  /// The recipe of `document` with `runAssignments`, if it is known, so that it is not read again for
  /// each photo.
  package var recipe: Recipe?
  public var focalPoint: FocalPointChange?
  /// The steps that are switched on where they are off, such as `crop` for a crop rectangle.
  public var neededSteps: [String] = []
  /// The settings to copy from another photo, before the other changes are made; nil for none.
  public var copied: CopiedSettings? {
    didSet {
      guard let copied else { return }
      variant = copied.variant
      if focalPoint == nil { focalPoint = copied.focalPoint.map { .set($0) } }
    }
  }

  public enum FocalPointChange: Sendable {
    case set(Sidecar.FocalPoint)
    case remove
  }

  public init() {}

  /// The change with its recipe; without it if the document is invalid, which each photo reports.
  var withRecipe: AdjustmentChange {
    var change = self
    change.recipe = try? document?.recipe(assignments: runAssignments).recipe
    return change
  }

  /// The change as text, such as `exposure.stops = 0.7`; `steps` are the steps that it switches on.
  func text(switchingOn steps: [String]) -> String {
    var parts = copied.map { ["settings of '\($0.source)'"] } ?? []
    parts += copied?.settings.members.map { "\($0.key) = \($0.value.compactText)" } ?? []
    parts += assignments.map { "\($0.key) = \($0.value.compactText)" }
    parts += steps.map { "\($0).enabled = true" }
    parts += unset.map { "\($0) unset" }
    switch focalPoint {
    case .set(let point): parts.append("focal point \(point.x), \(point.y)")
    case .remove: parts.append("no focal point")
    case nil: break
    }
    return parts.joined(separator: ", ")
  }

  /// The steps with new settings that are off in a recipe, so that the settings have no effect.
  func stepsOff(in recipe: Recipe) -> [String] {
    let keys = assignments.map(\.key).filter { !$0.hasSuffix(".enabled") }
    let steps = Dictionary(grouping: recipe.allSteps, by: \.id)
    let off = steps.filter { id, steps in
      steps.allSatisfy { !$0.isEnabled } && keys.contains { $0.hasPrefix("\(id).") }
    }
    return off.keys.sorted()
  }
}

extension Recipe {
  /// The steps of the recipe and of its outputs.
  var allSteps: [Step] { steps + outputs.flatMap(\.steps) }
}
