import Notation
import PhotoLibrary
import PhotoRecipes

/// The recipe of a run, with the settings of one photo.
struct RecipeEdit {
  let recipe: Recipe
  /// The settings digest.
  let settings: String
  /// The photo's own settings.
  let overrides: JSON.Object
  let files: NamedFiles
}
