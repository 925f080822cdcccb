import Notation
package import PhotoRecipes

/// A photo's own settings by which the photo would need files, or run programs, that the recipe
/// does not use.
///
/// A run opens the recipe's files before it reads sidecars, and `--allow-external` covers the
/// recipe's programs only.
package struct ForbiddenSettings: UserError, Hashable {
  package struct Setting: Sendable, Hashable {
    /// The setting, as `step.setting`, or the name of a parameter.
    package let key: String
    package let use: ForbiddenUse
  }

  /// The steps whose files and programs count.
  package enum Steps: Sendable {
    case enabled
    /// Also the steps that are off.
    case all
  }

  package private(set) var settings: [Setting]

  package var message: String {
    settings.map { "the photo's own setting '\($0.key)' \($0.use.text)" }.joined(separator: "; ")
  }

  /// The remedy for settings that a sidecar records.
  package var hint: String {
    let options = settings.map { "--unset \($0.key)" }.joined(separator: " ")
    let object = settings.count == 1 ? "the setting" : "these settings"
    return "'phbatch adjust PHOTO \(options)' removes \(object)"
  }

  /// The remedy for settings that are being made.
  package var remedy: String { "change the recipe instead, or make a recipe that extends it" }

  /// Finds all forbidden settings; nil if there is none.
  ///
  /// - Parameters:
  ///   - overrides: The photo's own settings.
  ///   - personal: The recipe with these settings.
  ///   - document: The document of the recipe.
  ///   - assignments: The `--set` arguments of the run.
  ///   - files: The paths of the files that the recipe uses, as written in the recipe.
  ///   - programs: The programs that the recipe runs.
  ///   - steps: The steps whose files and programs count.
  package init?(
    in overrides: [Assignment], _ personal: Recipe, of document: RecipeDocument,
    _ assignments: [Assignment], files: Set<String>, programs: [External],
    _ steps: Steps = .enabled
  ) {
    func has(_ use: ForbiddenUse, _ settings: [Assignment]) -> Bool {
      let recipe = try? document.recipe(overrides: settings, assignments: assignments).recipe
      return recipe.map(steps.switchedOn)?.uses(beyond: files, programs).contains(use) ?? false
    }
    var found: [Setting] = []
    for use in steps.switchedOn(in: personal).uses(beyond: files, programs) {
      var keys = overrides.filter { setting in
        !has(use, overrides.filter { $0.key != setting.key })
      }.prefix(1).map(\.key)
      if keys.isEmpty {
        // Each of several settings is sufficient for this use.
        var others: [Assignment] = []
        for setting in overrides {
          if has(use, others + [setting]) {
            keys.append(setting.key)
          } else {
            others.append(setting)
          }
        }
      }
      if keys.isEmpty { keys = overrides.suffix(1).map(\.key) }
      for key in keys where !found.contains(where: { $0.key == key }) {
        found.append(Setting(key: key, use: use))
      }
    }
    if found.isEmpty { return nil }
    settings = found
  }

  /// The settings for which a condition is true; nil if there is none.
  package func filter(_ isIncluded: (Setting) -> Bool) -> ForbiddenSettings? {
    var rest = self
    rest.settings = settings.filter(isIncluded)
    return rest.settings.isEmpty ? nil : rest
  }
}

extension ForbiddenSettings.Steps {
  /// The recipe in which all these steps are on.
  package func switchedOn(in recipe: Recipe) -> Recipe {
    guard self == .all else { return recipe }
    var recipe = recipe
    for index in recipe.steps.indices { recipe.steps[index].isEnabled = true }
    for output in recipe.outputs.indices {
      for index in recipe.outputs[output].steps.indices {
        recipe.outputs[output].steps[index].isEnabled = true
      }
    }
    return recipe
  }
}

/// The use of a file or a program by a photo's own settings.
package enum ForbiddenUse: Sendable, Hashable {
  /// The path of the file, as the setting gives it.
  case file(String)
  /// The id of the step, and what it would run.
  case program(step: String, External)

  /// The end of a sentence whose subject is the setting.
  package var text: String {
    switch self {
    case .file(let path): "needs the file '\(path)', which the recipe does not use"
    case .program(let step, _): "would change the program that the step '\(step)' runs"
    }
  }
}

extension Recipe {
  /// The uses of files and programs that are not among the given ones.
  package func uses(beyond files: Set<String>, _ programs: [External]) -> [ForbiddenUse] {
    namedFiles.filter { !files.contains($0.path) }.map { .file($0.path) }
      + externalSteps.filter { !programs.contains($0.step) }
      .map { .program(step: $0.id, $0.step) }
  }
}
