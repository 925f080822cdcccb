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
    let revisions = revisions(of: recipe)
    if let names = revised(recipe, since: recorded, digest: digest) { return .filters(names) }
    if recipe.usesFocalPoint { return .adjusted(["the focal point changed"]) }
    return revisions.isEmpty ? .settings : .filters(revisions.map(\.key))
  }

  /// The names of the filters and settings with whose older revisions the recipe has the digest
  /// `recorded`; nil if no older revision of one of them, nor the preceding ones of several, give it.
  static func revised(
    _ recipe: Recipe, since recorded: String, digest: ([String: Int]) -> String
  ) -> [String]? {
    let revisions = revisions(of: recipe)
    for (name, revision) in revisions {
      for older in 1..<revision where digest([name: older]) == recorded { return [name] }
    }
    // Each bit of a choice selects one of the names.
    let names = revisions.suffix(mostNames)
    for choice in 1..<(1 << names.count) where choice.nonzeroBitCount > 1 {
      let chosen = names.enumerated().filter { choice & 1 << $0.offset != 0 }.map(\.element)
      let older = Dictionary(uniqueKeysWithValues: chosen.map { ($0.key, $0.value - 1) })
      if digest(older) == recorded { return chosen.map(\.key) }
    }
    return nil
  }

  /// The number of names whose preceding revisions are combined.
  private static let mostNames = 8

  private static func revisions(of recipe: Recipe) -> [(key: String, value: Int)] {
    recipe.revisions.filter { $0.value > 1 }.sorted { $0.key < $1.key }
  }
}
