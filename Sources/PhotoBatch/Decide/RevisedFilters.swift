import PhotoRecipes

/// Finds out why a recipe's settings digest differs from the recorded digest although its recorded
/// settings are the same.
///
/// The digest also covers the revisions of the filters, that of `gamut`, and the focal point, which a
/// sidecar does not record for each edit.
enum RevisedFilters {
  /// Returns the reason why a recipe's settings digest differs from `recorded`.
  ///
  /// `digest` returns the recipe's digest with other revisions of the named filters and settings.
  static func reason(
    _ recipe: Recipe, since recorded: String, digest: ([String: Int]) -> String
  ) -> Staleness {
    let revisions = recipe.revisions.filter { $0.value > 1 }.sorted { $0.key < $1.key }
    for (name, revision) in revisions {
      for older in 1..<revision where digest([name: older]) == recorded {
        return .filters([name])
      }
    }
    if recipe.usesFocalPoint { return .adjusted(["the focal point changed"]) }
    return revisions.isEmpty ? .settings : .filters(revisions.map(\.key))
  }
}
