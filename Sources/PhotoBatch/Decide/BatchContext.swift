import Notation
import PhotoLibrary
import PhotoRecipes
import PhotoRender
import SystemPackage

/// The constants that all photos of a run share.
struct BatchContext: Sendable {
  let edit: EditContext
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
    settings = Self.settingsDigest(of: recipe, files, focal: nil)
  }

  var root: OutputRoot { edit.root }
  var options: BatchOptions { edit.options }
  var contents: LibraryContents { edit.contents }

  /// The settings digest of a photo's recipe, with the photo's focal point if a step uses it.
  func settingsDigest(
    of recipe: Recipe, isPersonal: Bool, focal: Sidecar.FocalPoint?
  ) -> String {
    guard isPersonal || (focal != nil && recipe.usesFocalPoint) else { return settings }
    return Self.settingsDigest(of: recipe, files, focal: focal)
  }

  /// Computes the settings digest: the SHA-256 of everything that affects the pixels of renditions,
  /// except the original.
  private static func settingsDigest(
    of recipe: Recipe, _ files: NamedFiles, focal: Sidecar.FocalPoint?
  ) -> String {
    var fingerprint = recipe.fingerprint(files: files.digests).object ?? JSON.Object()
    if recipe.usesFocalPoint {
      fingerprint["focalPoint"] = focal.map { .array([.number($0.x), .number($0.y)]) }
    }
    return "\(Digest(of: JSON.object(fingerprint).compactText.utf8))"
  }
}
