import PhotoLibrary
import PhotoRecipes

/// An operation that the user may apply to a stack of edits, and the reason if it is not possible.
public struct StackOperation: Sendable, Hashable {
  public enum Name: String, Sendable, CaseIterable {
    /// The recipe renders an edit again in its place in the stack; its key `handles` must include
    /// the edit.
    case resume
    /// The recipe discards the stack and starts a new stack.
    case replace
    /// The recipe adds an edit that starts from the newest edit.
    case stack
    /// The newest edit is removed.
    case revert
  }

  public let name: Name
  /// The reason why the operation is not possible; nil if it is possible.
  public let obstacle: String?
}

extension StackOperation {
  /// The obstacle of an operation that depends on a recipe, if none is named.
  static let needsRecipe = "name a recipe with --recipe"

  /// The operations on the stack of a variant, nil for the main stack.
  ///
  /// `adjustments` are the edits of the stack, oldest first. `plans` are the recipe's plans for the
  /// photo under each value of `--previous`; they show whether the recipe can resume, replace or
  /// stack.
  static func all(
    for adjustments: [Adjustment], of variant: String?, _ sidecar: Sidecar?, recipe: Recipe?,
    plans: [PreviousPolicy: PhotoPlan]
  ) -> [StackOperation] {
    let obstacle = { (policy: PreviousPolicy) -> String? in
      guard let recipe else { return needsRecipe }
      if recipe.variant != variant {
        return "\(recipe.identifier) edits "
          + (recipe.variant.map { "'\($0)'" } ?? "the main stack")
      }
      return plans[policy].flatMap { Self.obstacle(to: policy, $0, recipe) }
    }
    return [
      StackOperation(name: .resume, obstacle: obstacle(.resume)),
      StackOperation(name: .replace, obstacle: obstacle(.replace)),
      StackOperation(name: .stack, obstacle: obstacle(.stack)),
      StackOperation(name: .revert, obstacle: obstacleToReverting(adjustments, sidecar)),
    ]
  }

  /// Returns the reason why a run with `--previous` set to `policy` would do something else,
  /// according to the run's plan; nil if the run would do it.
  private static func obstacle(
    to policy: PreviousPolicy, _ plan: PhotoPlan, _ recipe: Recipe
  ) -> String? {
    switch (policy, plan.action) {
    case (_, .leave(.upToDate)):
      return policy == .resume ? nil : "the edit is up to date"
    case (_, .leave(let reason)): return plan.detail ?? reason.rawValue
    case (.resume, .resume), (.replace, _), (.stack, .stack): return nil
    case (.resume, _): return "\(recipe.identifier) handles none of the edits"
    default: return "the recipe would start from the original"
    }
  }

  private static func obstacleToReverting(
    _ adjustments: [Adjustment], _ sidecar: Sidecar?
  ) -> String? {
    guard let newest = adjustments.last else { return "there is no edit" }
    let isRecorded = sidecar?.adjustments.contains { $0.variant == newest.variant } ?? false
    return isRecorded ? nil : "the edit is by another program, and no run has recorded it"
  }
}
