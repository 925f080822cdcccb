import PhotoLibrary
import PhotoRecipes

/// One adjustment to make: the recipe for one photo, and what it starts from.
struct RenderJob: Sendable {
  let recipe: Recipe
  /// The settings digest.
  let settings: String
  let base: Adjustment.Base
  let effect: EditDecision.Effect
  let state: StackState
  let photo: OpenFile
  /// The original's.
  let digest: Digest
}
