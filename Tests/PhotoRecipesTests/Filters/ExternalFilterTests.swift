import Notation
import Testing

@testable import PhotoRecipes

/// Tests the settings of an external program in a recipe.
@Suite struct ExternalFilterTests {
  private static func step(_ text: String) throws -> (Step?, Diagnostics) {
    let json = JSONParser.parse(SourceText(name: "test", text: text)).json
    var diagnostics = Diagnostics()
    let step = Step(Field(try #require(json)), &diagnostics)
    return (step, diagnostics)
  }

  @Test func aCommandIsReadAndWrittenUnchanged() throws {
    let text = #"{"command":["gmic","-","a b",""],"filter":"external","resizes":true}"#
    let (step, diagnostics) = try Self.step(text)
    #expect(diagnostics.isEmpty)
    let filter = try #require(step?.filter as? ExternalFilter)
    #expect(filter.command.words == ["gmic", "-", "a b", ""])
    #expect(filter.timeout == 60)
    #expect(step?.json.object?["command"] == .array(filter.command.words.map(JSON.string)))
  }

  @Test(arguments: [
    #""command": []"#, #""command": "gmic -""#, #""command": ["gmic", 1]"#, #""command": [""]"#,
    #""command": ["a\u0000b"]"#, #""command": ["a"], "timeout": 0"#,
    #""command": ["a"], "timeout": 1.5"#, #""timeout": 5"#, #""command": null"#,
    #""command": ["a"], "resizes": true, "opacity": 0.5"#,
    #""command": ["a"], "resizes": true, "mask": {"kind": "linear"}"#,
  ])
  func invalidCommandsOfProgramsAreRefused(_ settings: String) throws {
    let (_, diagnostics) = try Self.step(#"{"filter": "external", \#(settings)}"#)
    #expect(!diagnostics.isEmpty)
  }

  @Test func theOptimiserMovesNoStepPastAnExternalProgram() throws {
    let filters = #"""
      [{"filter": "exposure", "stops": 1}, {"filter": "external", "command": ["a"]},
       {"filter": "crop", "left": 10, "width": 20}, {"filter": "resize", "width": 10}]
      """#
    for rendering in [RenderingMode.balanced, .exact] {
      let recipe = try RecipeText(filters: filters).recipe()
      let shape = PhotoShape(stored: Size(800, 600), orientation: .upright, shrinks: [1, 2, 4, 8])
      let names = recipe.graph.planned(for: shape, rendering).nodes.map(\.operation.name)
      #expect(names == ["original", "point", "external", "crop", "resize"])
    }
  }

  @Test func theFingerprintContainsTheSettingsOfAProgram() throws {
    func graph(_ settings: String) throws -> Graph {
      let text = #"[{"filter": "external", "command": ["a"]\#(settings)}]"#
      return try RecipeText(filters: text).recipe().graph
    }
    #expect(try graph("") == graph(#", "timeout": 60"#))
    #expect(try graph("") != graph(#", "timeout": 61"#))
    #expect(try graph("") != graph(#", "resizes": true"#))
  }

  @Test func onlyStepsThatRunTheirProgramAreListed() throws {
    let filters = #"""
      [{"filter": "external", "id": "x", "command": ["a"]},
       {"filter": "external", "id": "y", "command": ["b"], "enabled": false},
       {"filter": "external", "id": "z", "command": ["c"], "opacity": 0}]
      """#
    let recipe = try RecipeText(filters: filters).recipe()
    #expect(recipe.externalSteps.map(\.id) == ["x"])
  }
}
