import PhotoRecipes
import PhotoRender

/// Reads the recipes of requests: the same one comes with each photo, and is read once.
struct RecipeReader {
  private var last: (json: JSON, order: WorkOrder)?
  private var lastParts: [RecipePart]?

  /// An order of the recipe alone; nil for what is none: the other side is another version.
  mutating func order(_ json: JSON) -> WorkOrder? {
    if let last, last.json == json { return last.order }
    guard let recipe = try? Recipe(resolved: json) else { return nil }
    let order = WorkOrder(recipe: recipe)
    last = (json, order)
    lastParts = nil
    return order
  }

  /// The parts of the recipe that was read last.
  mutating func parts() -> [RecipePart] {
    if let lastParts { return lastParts }
    let parts = last?.order.recipe.parts ?? []
    lastParts = parts
    return parts
  }
}
