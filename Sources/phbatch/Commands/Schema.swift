import ArgumentParser
import PhotoRecipes

/// The `schema` command.
struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the JSON Schema of recipes, for editors.")

  func run() { print(RecipeSchema.json.canonicalText, terminator: "") }
}
