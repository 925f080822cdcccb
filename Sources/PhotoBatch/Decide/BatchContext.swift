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
  /// The settings digest of `recipe`.
  ///
  /// Most photos share it, because they have no settings of their own.
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

  /// The settings digest of a photo's recipe, with the photo's focal point if a step uses it.
  func settingsDigest(
    of recipe: Recipe, isPersonal: Bool, focal: Sidecar.FocalPoint?
  ) -> String {
    guard isPersonal || (focal != nil && recipe.usesFocalPoint) else { return settings }
    return recipe.settingsDigest(files.digests, focal: focal)
  }
}
