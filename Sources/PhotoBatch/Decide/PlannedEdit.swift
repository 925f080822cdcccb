import Notation
import PhotoLibrary
import PhotoRecipes

/// A photo's decision with the data that a run needs to carry it out.
struct PlannedEdit {
  /// The recipe with the photo's own settings.
  let edit: RecipeEdit
  let state: StackState
  let photo: OpenFile
  /// The digest of the original's bytes; nil if the photo has no sidecar to compare it with.
  let digest: Digest?
  let decision: EditDecision
  /// The new sidecar, if renditions that were changed by hand are adopted (recorded as separate
  /// edits), and the identity of the sidecar file to be replaced; nil if none is adopted.
  let adopted: (sidecar: Sidecar, identity: FileIdentity)?

  /// The image that the recipe's adjustment starts from.
  ///
  /// If nothing is rendered, it is the image that the recipe's recorded adjustment started from, or
  /// that a new adjustment would start from.
  var base: Adjustment.Base {
    switch decision {
    case .render(let edit): base(of: edit.recipePlace ?? 0, in: edit)
    case .nothing: recordedBase
    }
  }

  /// The edits that must be rendered again before the recipe's own, oldest first, and the image
  /// that the first of them starts from; nil if there are none.
  var replayed: (start: Adjustment.Base, edits: [Adjustment])? {
    guard case .render(let edit) = decision, let place = edit.recipePlace else { return nil }
    var edits: [Adjustment] = []
    var below = place
    while below > 0, case .replayed(let depth) = edit.layers[below - 1] {
      edits.insert(state.stack[depth].adjustment, at: 0)
      below -= 1
    }
    return edits.isEmpty ? nil : (base(of: below, in: edit), edits)
  }

  /// The image that the layer at index `place` of the edit starts from.
  private func base(of place: Int, in edit: Edit) -> Adjustment.Base {
    guard place > 0 else { return edit.start }
    let current =
      switch edit.layers[place - 1] {
      case .kept(let depth), .replayed(let depth), .recipe(inPlaceOf: let depth?):
        state.stack[depth].adjustment.currentBase
      case .refreshed(let depth): state.refreshed(state.stack[depth].adjustment).currentBase
      case .foreign(let index): state.newForeign[index].currentBase
      case .recipe(inPlaceOf: nil): Adjustment.Base?.none
      }
    return current ?? .original
  }

  private var recordedBase: Adjustment.Base {
    let stack = state.stack.map(\.adjustment)
    guard let depth = stack.lastIndex(where: edit.recipe.handles) else {
      return stack.last?.currentBase ?? .original
    }
    return depth > 0 ? stack[depth - 1].currentBase ?? .original : stack[depth].base
  }
}

/// The recipe of a run, combined with one photo's own settings.
struct RecipeEdit {
  let recipe: Recipe
  /// The forms of the recipe of the run; nil for a recipe with the photo's own settings.
  private let shared: RecipeForms?
  /// The digest of the recipe's settings for this photo, by which a run finds changed settings.
  let settings: String
  /// The photo's own settings.
  let overrides: JSON.Object
  let files: NamedFiles
  /// The photo's focal point; nil if it has none.
  let focal: Sidecar.FocalPoint?
  /// The digest of the film of a Live Photo; nil if there is none, or if no output keeps it.
  let film: String?

  /// The digests of all files that the edit reads besides the photo.
  var digests: [String: String] {
    files.digests.merging(film.map { [PairedFilm.source: $0] } ?? [:]) { $1 }
  }

  /// The renditions that the edit makes, each with the name of its output: one for each output,
  /// followed by its film if it gets one.
  var renditions: [(name: String, output: String)] { recipe.renditions(hasFilm: film != nil) }

  /// `shared` are the forms of `recipe` if it is the recipe of the run.
  init(
    recipe: Recipe, shared: RecipeForms?, settings: String, overrides: JSON.Object,
    files: NamedFiles, focal: Sidecar.FocalPoint?, film: String?
  ) {
    (self.recipe, self.shared, self.settings) = (recipe, shared, settings)
    (self.overrides, self.files, self.focal, self.film) = (overrides, files, focal, film)
  }

  var forms: RecipeForms { shared ?? RecipeForms(recipe) }

  /// Returns the settings digest that the recipe would have with these revisions of filters.
  func settings(with revisions: [String: Int]) -> String {
    recipe.settingsDigest(digests, focal: focal, revisions: revisions)
  }
}

extension Recipe {
  /// The renditions of a photo, each with the name of its output: one for each output, followed by
  /// its film if `hasFilm` is true and the output keeps it.
  func renditions(hasFilm: Bool) -> [(name: String, output: String)] {
    outputs.flatMap { output in
      let photo = (output.name, output.name)
      guard hasFilm, keepsFilm(output) else { return [photo] }
      return [photo, (PairedFilm.name(of: output.name), output.name)]
    }
  }

  /// The settings digest: the SHA-256 of everything that affects the pixels of renditions, except
  /// the original.
  ///
  /// `files` are the digests of the files that the recipe names; `revisions` replace the revisions
  /// of the filters with these names.
  func settingsDigest(
    _ files: [String: String], focal: Sidecar.FocalPoint?, revisions: [String: Int] = [:]
  ) -> String {
    var fingerprint =
      fingerprint(files: files, revisions: revisions).object ?? JSON.Object()
    if usesFocalPoint {
      fingerprint["focalPoint"] = focal.map { .array([.number($0.x), .number($0.y)]) }
    }
    return "\(Digest(of: JSON.object(fingerprint).compactBytes))"
  }
}
