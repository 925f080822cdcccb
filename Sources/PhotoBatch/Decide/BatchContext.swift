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
  private(set) var recipe: Recipe
  let files: NamedFiles
  /// True if `recipe` has only the outputs for films, false if it has only the outputs for photos;
  /// nil before the kind of the file is known.
  private(set) var isForFilms: Bool?
  /// The settings digest of `recipe` without a focal point.
  ///
  /// It applies to every photo that has no settings of its own and whose focal point does not
  /// matter.
  private var settings: String
  /// The forms of `recipe`.
  private(set) var forms: RecipeForms

  init(edit: EditContext, document: RecipeDocument, recipe: Recipe, files: NamedFiles) {
    self.edit = edit
    self.document = document
    self.recipe = recipe
    self.files = files
    settings = recipe.settingsDigest(files.digests, focal: nil)
    forms = RecipeForms(recipe)
  }

  /// The same context with only the outputs for films, or only the outputs for photos.
  func narrowed(toFilms isForFilms: Bool) -> BatchContext {
    var context = self
    context.isForFilms = isForFilms
    if recipe.outputs.contains(where: { $0.isOfFilms != isForFilms }) {
      context.recipe = recipe.only(films: isForFilms)
      context.settings = context.recipe.settingsDigest(files.digests, focal: nil)
      context.forms = RecipeForms(context.recipe)
    }
    return context
  }

  /// A recipe with a photo's own settings, with the same outputs as `recipe`.
  func narrowed(_ recipe: Recipe) -> Recipe { isForFilms.map(recipe.only) ?? recipe }

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
