import Notation
import Testing

@testable import PhotoRecipes

@Suite struct ParametersTests {
  private func recipe(
    _ declaration: String, stops: String = "0", title: String = "t"
  ) -> RecipeText {
    RecipeText(
      filters: "[{\"filter\":\"exposure\",\"stops\":\(stops)}]",
      more: "\"parameters\": { \"p\": \(declaration) }, \"title\": \"\(title)\", ")
  }

  private func stops(_ recipe: Recipe) -> Double? {
    (recipe.steps.first?.filter as? Exposure)?.stops
  }

  @Test func aParameterThatIsTheWholeStringKeepsItsType() throws {
    let text = recipe(#"{ "default": 0.5 }"#, stops: "\"${p}\"", title: "by ${p}, ${p}")
    #expect(try stops(text.recipe()) == 0.5)
    #expect(try text.recipe().title == "by 0.5, 0.5")
    #expect(try stops(text.recipe("p=-2")) == -2)
    #expect(try text.recipe("p=1e0").title == "by 1e0, 1e0")
  }

  @Test func parametersOfEveryTypeCanBeInserted() throws {
    let text = RecipeText(
      filters:
        ##"[{"filter":"curves","rgb":"${points}"},{"filter":"background","colour":"#${hex}"}]"##,
      more: #""parameters": {"points":{"default":[[0,0],[1,0.5]]},"hex":{"default":"ff0000"}}, "#)
    let steps = try text.recipe().steps
    #expect((steps[0].filter as? Curves)?.rgb.points.last?.y == 0.5)
    #expect((steps[1].filter as? Background)?.colour == Colour(red: 255, green: 0, blue: 0))
  }

  @Test(arguments: [
    (#"{ "default": 5, "min": 6 }"#, "default"), (#"{ "default": 5, "max": 4 }"#, "default"),
    (#"{ "default": "a", "max": 4 }"#, "default"),
    (#"{ "default": 1, "choices": [2, 3] }"#, "default"),
    (#"{ "default": 1, "min": 3, "max": 2 }"#, "min"), (#"{ "default": 1, "min": "x" }"#, "min"),
    (#"{ "default": 1, "choices": 1 }"#, "choices"),
    (#"{ "default": 1, "choices": [] }"#, "choices"),
    (#"{ "default": 1, "sumary": "" }"#, "sumary"), (#"{ "default": 1, "summary": 1 }"#, "summary"),
  ])
  func declarationsOfParametersAreChecked(_ declaration: String, _ key: String) {
    let found = diagnostics(recipe(declaration, stops: "\"${p}\""))
    #expect(found.map(\.path.description) == ["$.parameters.p.\(key)"])
  }

  @Test func declarationsOfParametersNeedADefault() {
    #expect(diagnostics(recipe("5")).map(\.path.description) == ["$.parameters.p"])
    #expect(
      diagnostics(recipe("{}")).map(\.problem) == [.missingKey("default", in: "the parameter")])
    let name = RecipeText(more: #""parameters": { "a b": { "default": 1 } }, "#)
    #expect(diagnostics(name).count == 1)
  }

  @Test func choicesAndRangesAlsoLimitAssignedParameters() throws {
    let choice = recipe(#"{ "default": 1, "choices": [1, 2] }"#, stops: "\"${p}\"")
    #expect(try stops(choice.recipe("p=2")) == 2)
    #expect(
      diagnostics(choice, set: "p=3").map(\.problem) == [.unknownChoice("3", choices: ["1", "2"])])
    let range = recipe(#"{ "default": 1, "min": 0, "max": 2 }"#, stops: "\"${p}\"")
    #expect(try stops(range.recipe("p=2")) == 2)
    #expect(diagnostics(range, set: "p=2.1").map(\.path.description) == ["$.parameters.p"])
    #expect(diagnostics(range, set: "p=many").count == 1)
  }

  @Test(arguments: ["${", "${p", "a ${p", "${x}", "${P}", "${}", "${ p}"])
  func aParameterInTheWrongPlaceIsRefused(_ title: String) {
    let found = diagnostics(recipe(#"{ "default": 1 }"#, title: title))
    #expect(found.map(\.path.description) == ["$.title"])
  }

  @Test func dollarSignsWithoutAParameterAreText() throws {
    #expect(try recipe(#"{ "default": 1 }"#, title: "5 $ {p} $p").recipe().title == "5 $ {p} $p")
  }

  @Test func theNoteOfAnErrorNamesTheCommandLine() {
    let found = diagnostics(recipe(#"{ "default": 1 }"#, stops: "\"${p}\""), set: "p=11")
    #expect(found.map(\.note) == ["'${p}' is 11, which was set at --set:1:3"])
    #expect(found.first?.location?.source.name == "recipe.json")
  }

  @Test func theNoteOfATextParameterWithoutATextSaysHowToQuoteIt() throws {
    let text = RecipeText(
      filters: #"[{"filter":"text","content":"${p}"}]"#,
      more: #""parameters": { "p": { "default": "2023" } }, "#)
    let found = diagnostics(text, set: "p=2024")
    #expect(
      found.map(\.note) == [
        "'${p}' is 2024, which was set at --set:1:3; for a text write --set p='\"2024\"'"
      ])
    #expect(try (text.recipe("p=\"2024\"").steps[0].filter as? TextFilter) != nil)
  }

  private func personal(
    _ text: RecipeText, _ key: String, _ value: JSON, set: String...
  ) throws -> (recipe: Recipe, unused: [Assignment]) {
    try text.document().recipe(
      overrides: [Assignment(key: key, value: value)],
      assignments: set.map { try Assignment(argument: $0) })
  }

  @Test func aPhotosOwnParameterReplacesTheDefaultAndYieldsToTheCommandLine() throws {
    let text = recipe(#"{ "default": 0.5, "max": 2 }"#, stops: "\"${p}\"")
    let own = try personal(text, "p", .number(1.5))
    #expect(own.unused.isEmpty)
    #expect(stops(own.recipe) == 1.5)
    #expect(try stops(personal(text, "p", .number(1.5), set: "p=-1").recipe) == -1)
    #expect(try personal(text, "q", .number(1)).unused.map(\.key) == ["q"])
    #expect(throws: InvalidDocument.self) { try personal(text, "p", .number(2.5)) }
  }

  /// Otherwise, one photo could belong to another recipe or variant than the others.
  @Test func aPhotosOwnParameterAppliesInStepsAndOutputsOnly() throws {
    let text = RecipeText(
      filters: #"[{"filter":"exposure","stops":"${p}"}]"#,
      outputs: #"[{"name":"web","format":"jpeg","path":"${p}/{stem}"}]"#,
      more: #""parameters": {"p": {"default": 1}}, "variant": "v${p}", "title": "t${p}", "#)
    let own = try personal(text, "p", .integer(2)).recipe
    #expect(stops(own) == 2)
    #expect(own.outputs.map(\.path) == ["2/{stem}"])
    #expect(own.variant == "v1")
    #expect(own.title == "t1")
  }

  @Test func errorsInInsertedTextsExplainTheParameter() {
    let text = RecipeText(
      outputs: #"[{"name":"a","format":"png","path":"${dir}/{stem}"}]"#,
      more: #""parameters": { "dir": { "default": ".." } }, "#)
    let found = diagnostics(text)
    #expect(found.map(\.path.description) == ["$.outputs[0].path"])
    #expect(found.first?.note?.hasPrefix("'${dir}' is the string \"..\"") == true)
  }
}
