import Notation
import Testing

@testable import PhotoRecipes

/// The origins of settings, as `phbatch explain` prints them.
@Suite struct OriginTests {
  private func origins(_ recipe: RecipeText, set: String...) throws -> [String: String] {
    let document = try recipe.document()
    let assignments = try set.map { try Assignment(argument: $0) }
    let settings = document.settings(
      of: try document.recipe(assignments: assignments).recipe, assignments)
    return Dictionary(uniqueKeysWithValues: settings.map { ($0.place, $0.origin) })
  }

  @Test func theSettingsOfAWebSetHaveTheirPlacesInTheRecipe() throws {
    let recipe = RecipeText(
      outputs: """
        [{"name": "s", "kind": "webSet", "widths": [480],
        "formats": ["webp", {"format": "jpeg", "quality": 55}],
        "filters": [{"filter": "sharpen", "amount": 0.3}]},
        {"name": "o", "format": "jpeg", "quality": 44}]
        """)
    let origins = try origins(recipe)
    for format in ["webp", "jpeg"] {
      #expect(origins["s-480-\(format)/sharpen.amount"]?.hasPrefix("recipe.json:3:") == true)
      #expect(origins["s-480-\(format)/sharpen.radius"] == "default")
      #expect(origins["s-480-\(format)/s-width.width"]?.hasPrefix("recipe.json:1:") == true)
      #expect(origins["s-480-\(format)/s-width.kernel"] == "default")
    }
    #expect(origins["s-480-jpeg.quality"]?.hasPrefix("recipe.json:2:") == true)
    #expect(origins["s-480-jpeg.progressive"] == "default")
    #expect(origins["s-480-webp.quality"] == "default")
    #expect(origins["s-placeholder/sharpen.amount"]?.hasPrefix("recipe.json:3:") == true)
    #expect(origins["s-placeholder.quality"] == "default")
    #expect(origins["o.quality"]?.hasPrefix("recipe.json:4:") == true)
    let set = try self.origins(recipe, set: "sharpen.amount=0.5")
    #expect(set["s-480-webp/sharpen.amount"]?.hasPrefix("--set:") == true)
  }

  /// A value that comes from a parameter has the place where the parameter was set, not the place
  /// of `${q}`.
  @Test func theValueOfAParameterHasThePlaceWhereTheParameterWasSet() throws {
    let recipe = RecipeText(
      filters: #"[{"filter": "exposure", "stops": "${light}"}]"#,
      outputs: "[{\"name\": \"a\", \"format\": \"jpeg\",\n\"quality\": \"${q}\"}]",
      more: "\n\"parameters\": {\"q\": {\"default\": 50}, \"light\": {\"default\": 1}},\n")
    #expect(try origins(recipe)["a.quality"] == "recipe.json:2:33")
    #expect(try origins(recipe, set: "q=30")["a.quality"] == "--set:1:3")
    #expect(try origins(recipe, set: "a.quality=30")["a.quality"] == "--set:1:11")
    let document = try recipe.document()
    let own = [Assignment(key: "light", value: .integer(2))]
    let personal = try document.recipe(overrides: own).recipe
    let settings = document.settings(of: personal, [], own: own)
    let light = settings.first { $0.place == "exposure.stops" }
    #expect(light?.value == "2" && light?.origin == "this photo's own")
    #expect(settings.first { $0.place == "a.quality" }?.origin == "recipe.json:2:33")
  }
}
