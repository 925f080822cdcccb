extension Recipe {
  /// True if the recipe has film outputs.
  public var hasFilms: Bool { outputs.contains(where: \.isOfFilms) }

  /// The recipe with only its film outputs, or with only its photo outputs.
  public func only(films: Bool) -> Recipe {
    var recipe = self
    recipe.outputs = outputs.filter { $0.isOfFilms == films }
    return recipe
  }
}
