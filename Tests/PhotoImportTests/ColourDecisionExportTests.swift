import Notation
import PhotoRecipes
import Testing

@testable import PhotoImport

/// A recipe's colour decision as an ASC CDL file.
@Suite struct ColourDecisionExportTests {
  private static func recipe(_ steps: String) throws -> Recipe {
    let text = """
      { "identifier": "org.example.look", "version": "1.0.0", "filters": [\(steps)],
        "outputs": [ { "name": "web", "format": "jpeg" } ] }
      """
    let document = try RecipeDocument(SourceText(name: "recipe", text: text)) {
      file throws(Problem) in throw .missingFile(file.path)
    }
    return try document.recipe().recipe
  }

  /// Importing the exported file gives the original step, for each kind of document.
  @Test(arguments: [
    ColourDecision.Document.correction, .collection, .list,
  ])
  func anExportedColourDecisionIsImportedUnchanged(_ document: ColourDecision.Document) throws {
    let step = """
      { "filter": "cdl", "slopeRed": 1.1, "slopeGreen": 0.333333333333, "offsetBlue": -0.00001,
        "powerRed": 1.7, "saturation": 0.25, "space": "logC3" }
      """
    let recipe = try Self.recipe(step + #", { "filter": "invert" }"#)
    let text = try ColourDecision(of: recipe).text(as: document)
    let imported = try Import.recipe(
      from: Array(text.utf8), named: "look", identifier: "org.example.back")
    let filters = imported.filters.map(\.compactText).joined(separator: ",")
    let found = try #require(Self.recipe(filters).steps.first?.filter as? CDL)
    #expect(found == recipe.steps.first?.filter as? CDL)
    #expect(text.contains("id=\"org.example.look\""))
  }

  @Test func recipesWithoutExactlyOnePlainCDLStepAreRefused() throws {
    #expect(throws: ColourDecisionExportError.steps(0)) {
      try ColourDecision(of: Self.recipe(#"{"filter": "cdl", "enabled": false}"#))
    }
    #expect(throws: ColourDecisionExportError.steps(2)) {
      try ColourDecision(of: Self.recipe(#"{"filter": "cdl"}, {"filter": "cdl", "id": "b"}"#))
    }
    for key in [
      #""opacity": 0.5"#, #""blend": "multiply""#, #""mask": {"radial": {"radius": 0.5}}"#,
    ] {
      #expect(throws: ColourDecisionExportError.partial("cdl")) {
        try ColourDecision(of: Self.recipe(#"{"filter": "cdl", \#(key)}"#))
      }
    }
  }
}
