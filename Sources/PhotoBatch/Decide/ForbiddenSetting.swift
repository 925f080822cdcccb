import Notation
package import PhotoRecipes

/// A photo's own setting by which the photo would need a file, or run a program, that the recipe
/// does not use.
///
/// A run opens the recipe's files before it reads sidecars, and `--allow-external` covers the
/// recipe's programs only.
package struct ForbiddenSetting: UserError, Hashable {
  /// The setting, as `step.setting`, or the name of a parameter.
  package let key: String
  private let use: String

  package var message: String { "the photo's own setting '\(key)' \(use)" }

  /// The remedy for a setting that a sidecar records.
  package var hint: String { "'phbatch adjust PHOTO --unset \(key)' removes the setting" }

  /// The remedy for a setting that is being made.
  package var remedy: String { "change the recipe instead, or make a recipe that extends it" }

  /// Finds the first forbidden setting; nil if there is none.
  ///
  /// - Parameters:
  ///   - overrides: The photo's own settings.
  ///   - personal: The recipe with these settings.
  ///   - document: The document of the recipe.
  ///   - assignments: The `--set` arguments of the run.
  ///   - files: The paths of the files that the recipe uses, as written in the recipe.
  ///   - programs: The programs that the recipe runs.
  package init?(
    in overrides: [Assignment], _ personal: Recipe, of document: RecipeDocument,
    _ assignments: [Assignment], files: Set<String>, programs: [External]
  ) {
    guard let use = personal.use(beyond: files, programs) else { return nil }
    let causes = overrides.filter { setting in
      let others = overrides.filter { $0.key != setting.key }
      let without = try? document.recipe(overrides: others, assignments: assignments).recipe
      return without?.use(beyond: files, programs) != use
    }
    guard let key = (causes.first ?? overrides.last)?.key else { return nil }
    (self.key, self.use) = (key, use)
  }
}

extension Recipe {
  /// The first use of a file or a program that is not among the given ones, as the end of a
  /// sentence; nil if there is none.
  fileprivate func use(beyond files: Set<String>, _ programs: [External]) -> String? {
    if let file = namedFiles.first(where: { !files.contains($0.path) }) {
      return "needs the file '\(file.path)', which the recipe does not use"
    }
    let steps = externalSteps.filter { !programs.contains($0.step) }
    return steps.first.map { "would change the program that the step '\($0.id)' runs" }
  }
}
