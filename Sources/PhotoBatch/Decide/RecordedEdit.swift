import Notation
import PhotoLibrary
import PhotoRecipes

/// A recorded adjustment whose recipe and files are available, so that it can be rendered again.
struct RecordedEdit {
  let recipe: Recipe
  /// The files that the recipe names, by their paths as written.
  let files: [String: OpenFile]

  /// Reads the recipe from the adjustment's record, and opens its files, which must have the
  /// recorded digests.
  ///
  /// - Throws: An obstacle if the recipe runs a program: a sidecar may come from an untrusted
  ///   source.
  init(_ adjustment: Adjustment, _ registry: FileRegistry) throws(EditFacts.Obstacle) {
    let name = adjustment.formatIdentifier
    recipe = try Self.recipe(of: adjustment)
    if let (id, _) = recipe.externalSteps.first {
      throw EditFacts.Obstacle(
        reason: .buried,
        detail:
          "the edit by \(name) runs a program in the step '\(id)'; only a run of its own recipe"
          + " may do this"
      )
    }
    var files: [String: OpenFile] = [:]
    for named in recipe.namedFiles {
      guard let digest = adjustment.files[named.path], let file = registry.open(sha256: digest)
      else {
        throw EditFacts.Obstacle(
          reason: .fileMissing,
          detail:
            "'\(named.path)', which the edit by \(name) uses, was not found; run its recipe once")
      }
      files[named.path] = file
    }
    self.files = files
  }

  /// True if an adjustment can be rendered again: its record is valid, it runs no program, its named
  /// files are found with the recorded digests, and this version of phbatch renders its filters, with
  /// the photo's focal point, as they were rendered.
  static func isRepeatable(
    _ adjustment: Adjustment, _ registry: FileRegistry, focal: Sidecar.FocalPoint?
  ) -> Bool {
    guard let recipe = try? recipe(of: adjustment), recipe.externalSteps.isEmpty,
      recipe.settingsDigest(adjustment.files, focal: focal) == adjustment.settings
    else { return false }
    return recipe.namedFiles.allSatisfy { named in
      adjustment.files[named.path].map { registry.open(sha256: $0) != nil } ?? false
    }
  }

  static func recipe(of adjustment: Adjustment) throws(EditFacts.Obstacle) -> Recipe {
    let members = adjustment.recipe.object?.members ?? []
    var object = JSON.Object(members.filter { Recipe.recordKeys.contains($0.key) })
    object["identifier"] = .string(adjustment.formatIdentifier)
    object["version"] = .string(adjustment.formatVersion)
    object["variant"] = adjustment.variant.map(JSON.string)
    do throws(InvalidDocument) { return try Recipe(resolved: .object(object)) } catch {
      throw EditFacts.Obstacle(
        reason: .buried,
        detail:
          "this version of phbatch cannot render the edit by \(adjustment.formatIdentifier) again:"
          + " \(error.recordedFlaws); a newer phbatch wrote it, or it was changed by hand")
    }
  }
}
