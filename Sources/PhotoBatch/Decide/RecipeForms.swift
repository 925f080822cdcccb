import Notation
import PhotoRecipes

/// The forms of a recipe that the rendering of each photo needs, computed once for all photos.
struct RecipeForms: Sendable {
  /// The recipe as sidecars record it.
  let record: JSON
  /// The recipe as workers receive it.
  let order: WorkOrder
  /// The paths of the renditions.
  let paths: RenditionPaths

  init(_ recipe: Recipe) {
    record = recipe.record
    order = WorkOrder(recipe: recipe)
    paths = RenditionPaths(of: recipe)
  }
}
