import PhotoRecipes
import Testing

/// Tests that a recipe's graph, which is made once, belongs to the recipe as it is now.
@Suite struct RecipeGraphTests {
  private static let text =
    #"{"identifier": "a.b", "version": "1.0.0", "filters": [{"filter": "exposure", "stops": 1}], "outputs": [{"name": "o", "format": "jpeg"}, {"name": "p", "format": "jpeg"}]}"#

  @Test(
    arguments: [
      { $0.steps = [] }, { $0.steps[0].isEnabled = false }, { $0.outputs.removeLast() },
      { $0.outputs[0].rolloff = .hard }, { $0.rolloff = .hard },
    ] as [@Sendable (inout Recipe) -> Void])
  func aChangedCopyHasAGraphOfItsOwn(_ change: @Sendable (inout Recipe) -> Void) throws {
    let recipe = try GoldenGraphTests.recipe(Self.text)
    let graph = "\(recipe.graph)"
    var copy = recipe
    change(&copy)
    #expect("\(copy.graph)" != graph)
    #expect("\(recipe.graph)" == graph)
    // The graph of a recipe that changed before its graph was first needed.
    var other = try GoldenGraphTests.recipe(Self.text)
    change(&other)
    #expect("\(other.graph)" == "\(copy.graph)")
  }
}
