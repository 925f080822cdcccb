import Notation
import PhotoLibrary
import PhotoRecipes
import PhotoRender
import SystemPackage

/// The constants that all photos of a run share.
struct BatchContext: Sendable {
  var edit: EditContext
  let document: RecipeDocument
  /// The recipe without any photo's own settings.
  let recipe: Recipe
  let files: NamedFiles
  /// The settings digest of `recipe` without a focal point.
  ///
  /// It applies to every photo that has no settings of its own and whose focal point does not
  /// matter.
  private let settings: String

  init(edit: EditContext, document: RecipeDocument, recipe: Recipe, files: NamedFiles) {
    self.edit = edit
    self.document = document
    self.recipe = recipe
    self.files = files
    settings = recipe.settingsDigest(files.digests, focal: nil)
  }

  var root: OutputRoot { edit.root }
  var options: BatchOptions { edit.options }
  var contents: LibraryContents { edit.contents }

  /// Returns the settings digest for one photo; `isPersonal` is true if the photo's own settings
  /// changed the recipe.
  func settingsDigest(
    of recipe: Recipe, isPersonal: Bool, focal: Sidecar.FocalPoint?
  ) -> String {
    guard isPersonal || (focal != nil && recipe.usesFocalPoint) else { return settings }
    return recipe.settingsDigest(files.digests, focal: focal)
  }
}
