import PhotoRecipes
import PhotoRender

/// Reads the recipes of requests: the same one comes with each photo, and is read once.
struct RecipeReader {
  private var last: (json: JSON, recipe: Recipe)?
  private var lastParts: [RecipePart]?

  /// Nil for what is no recipe: the other side is another version.
  mutating func recipe(_ json: JSON) -> Recipe? {
    if let last, last.json == json { return last.recipe }
    guard let recipe = try? Recipe(resolved: json) else { return nil }
    last = (json, recipe)
    lastParts = nil
    return recipe
  }

  /// The parts of the recipe that was read last.
  mutating func parts() -> [RecipePart] {
    if let lastParts { return lastParts }
    let parts = last?.recipe.parts ?? []
    lastParts = parts
    return parts
  }
}
