extension Recipe {
  /// True if the recipe has outputs that are made of films.
  public var hasFilms: Bool { outputs.contains(where: \.isOfFilms) }

  /// The recipe with only those outputs that are made of films, or only those that are not.
  public func only(films: Bool) -> Recipe {
    var recipe = self
    recipe.outputs = outputs.filter { $0.isOfFilms == films }
    return recipe
  }
}
