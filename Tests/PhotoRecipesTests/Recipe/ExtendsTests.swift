import Notation
import Testing

@testable import PhotoRecipes

@Suite struct ExtendsTests {
  private let base = RecipeText(
    filters: #"[{"filter":"exposure","stops":1},{"filter":"blur","radius":1}]"#,
    outputs:
      #"[{"name":"web","format":"jpeg","quality":50,"filters":[{"filter":"hue","angle":5}]}]"#,
    more: #""title": "base", "parameters": {"a":{"default":1},"b":{"default":2}}, "#
      + #""select": {"include":["*"],"where":{"width":5}}, "#
  ).text

  private func recipe(_ text: String, _ files: [String: String]) throws -> Recipe {
    try RecipeDocument(text, files: files).recipe().recipe
  }

  @Test func aRecipeIsMergedOverItsBase() throws {
    let own = """
      { "extends": "base.json", "version": "2.0.0", "parameters": { "b": { "default": 3 } },
        "select": { "where": { "height": 6 } },
        "filters": [ { "filter": "blur", "radius": "${b}" }, { "id": "exposure", "opacity": 0.5 },
          { "filter": "sepia" } ],
        "outputs": [ { "name": "web", "quality": 60, "filters": [ { "filter": "hue", "angle": 6 } ] },
          { "name": "new", "format": "png" } ] }
      """
    let recipe = try recipe(own, ["base.json": base])
    #expect(recipe.identifier == "org.example.test")
    #expect(recipe.version == SemanticVersion("2.0.0"))
    #expect(recipe.title == "base")
    #expect(recipe.steps.map(\.id) == ["exposure", "blur", "sepia"])
    #expect((recipe.steps[0].filter as? Exposure)?.stops == 1)
    #expect(recipe.steps[0].opacity == 0.5)
    #expect((recipe.steps[1].filter as? Blur)?.radius == .pixels(3))
    #expect(recipe.outputs.map(\.name) == ["web", "new"])
    #expect((recipe.outputs[0].format as? JPEGFormat)?.quality == 60)
    #expect((recipe.outputs[0].steps[0].filter as? Hue)?.angle == 6)
    #expect(recipe.selection.conditions.map(\.fact) == [.width, .height])
    #expect(recipe.selection.include.map(\.pattern) == ["*"])
  }

  @Test func anotherFilterWithTheSameIdReplacesTheStep() throws {
    let own = #"{ "extends": "base.json", "filters": [{ "id": "blur", "filter": "sepia" }] }"#
    #expect(try recipe(own, ["base.json": base]).steps.map { $0.filter is Sepia } == [false, true])
  }

  @Test func chainsOfRecipesAreMerged() throws {
    let middle = #"{ "extends": "base.json", "title": "middle", "variant": "m" }"#
    let recipe = try recipe(
      #"{ "extends": "middle.json", "title": "top" }"#, ["middle.json": middle, "base.json": base])
    #expect(recipe.title == "top")
    #expect(recipe.variant == "m")
    #expect(recipe.steps.count == 2)
  }

  @Test(arguments: [
    ["a.json": "recipe.json"], ["a.json": "./recipe.json"], ["a.json": "base/../recipe.json"],
    ["a.json": "b.json", "b.json": "./recipe.json"], ["a.json": "./a.json"],
  ])
  func recipesThatExtendEachOtherAreRefused(_ links: [String: String]) {
    let own = #"{ "extends": "a.json" }"#
    var files = links.mapValues { "{ \"extends\": \"\($0)\" }" }
    files["recipe.json"] = own
    let found = diagnostics(own, files: files)
    #expect(found.count == 1)
    guard case .cycle(let names)? = found.first?.problem else {
      Issue.record("\(found)")
      return
    }
    #expect(names.count <= 4)
  }

  @Test func aLongChainIsReportedAsTooLong() {
    var files: [String: String] = [:]
    for index in 1...20 { files["\(index).json"] = "{ \"extends\": \"\(index + 1).json\" }" }
    let found = diagnostics(#"{ "extends": "1.json" }"#, files: files)
    #expect(found.count == 1)
    guard case .contradiction? = found.first?.problem else {
      Issue.record("\(found)")
      return
    }
  }

  @Test func aMissingBaseRecipeIsReported() {
    let found = diagnostics(#"{ "extends": "none.json" }"#)
    #expect(found.map(\.problem) == [.missingFile("none.json")])
    #expect(found.map(\.path.description) == ["$.extends"])
    #expect(diagnostics(#"{ "extends": 5 }"#).count == 1)
    #expect(diagnostics(#"{ "extends": "" }"#).count == 1)
  }

  @Test func errorsInABaseRecipeNameItsFile() {
    let bad = base.replacing("\"stops\":1", with: "\"stops\":99")
    let found = diagnostics(#"{ "extends": "base.json" }"#, files: ["base.json": bad])
    #expect(found.map { $0.location?.source.name } == ["base.json"])
    let broken = diagnostics(#"{ "extends": "base.json" }"#, files: ["base.json": "{,}"])
    #expect(broken.map { $0.location?.description } == ["base.json:1:2"])
  }

  @Test func filesAreFoundRelativeToTheRecipeThatNamesThem() throws {
    let inner = base.replacing(
      #"{"filter":"blur","radius":1}"#, with: #"{"filter":"watermark","image":"logo.png"}"#)
    let recipe = try recipe(#"{ "extends": "sub/base.json" }"#, ["sub/base.json": inner])
    #expect(recipe.namedFiles.map(\.location) == ["sub/logo.png"])
    #expect(NamedFile(path: "/a.png", folder: "sub").location == "/a.png")
    #expect(NamedFile(path: "a.png", folder: "").location == "a.png")
    let source = SourceText(name: "/recipe.json", text: "\"a.png\"")
    let atTop = NamedFile.read(
      JSON(.string("a.png"), at: SourceLocation(source: source, offset: 0)), as: .file)
    #expect(try atTop.get().location == "/a.png")
  }
}
