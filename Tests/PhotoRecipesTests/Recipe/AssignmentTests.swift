import Notation
import Testing

@testable import PhotoRecipes

@Suite struct AssignmentTests {
  private let text = RecipeText(
    filters: #"[{"filter":"exposure","stops":1},{"filter":"blur","id":"soft"}]"#,
    outputs: #"[{"name":"web","format":"png","filters":[{"filter":"resize","longEdge":100}]},"#
      + #"{"name":"big","format":"jpeg","filters":[{"filter":"resize","longEdge":200}]}]"#,
    more: #""parameters": { "p": { "default": 1 } }, "#)

  @Test func settingsOfStepsAndOutputsAreAssigned() throws {
    let recipe = try text.recipe(
      "exposure.stops=0.5", "soft.radius=2", "soft.opacity=0.5", "big.quality=50")
    #expect((recipe.steps[0].filter as? Exposure)?.stops == 0.5)
    #expect((recipe.steps[1].filter as? Blur)?.radius == .pixels(2))
    #expect(recipe.steps[1].opacity == 0.5)
    #expect((recipe.outputs[1].format as? JPEGFormat)?.quality == 50)
    #expect(try text.recipe("exposure.enabled=false").steps[0].isEnabled == false)
  }

  @Test func anAssignmentToASharedIdChangesAllOutputs() throws {
    let edges = try text.recipe("resize.longEdge=10%").outputs.map {
      ($0.steps[0].filter as? ResizeFilter)?.longEdge
    }
    #expect(edges == [.fraction(0.1), .fraction(0.1)])
  }

  @Test func theLastOfSeveralAssignmentsApplies() throws {
    let recipe = try text.recipe("exposure.stops=1", "exposure.stops=2")
    #expect((recipe.steps[0].filter as? Exposure)?.stops == 2)
  }

  @Test func assignedValuesAreReadAsJSONOrAsText() throws {
    #expect(try Assignment(argument: "a=1.50").value == JSON(.number("1.50")))
    #expect(try Assignment(argument: "a=true").value == .bool(true))
    #expect(try Assignment(argument: "a=[1]").value == .array([.integer(1)]))
    #expect(try Assignment(argument: "a=\"1\"").value == .string("1"))
    #expect(try Assignment(argument: "a=b=c").value == .string("b=c"))
    #expect(try Assignment(argument: "a=").value == .string(""))
    #expect(try Assignment(argument: "a=[1").value == .string("[1"))
    #expect(throws: InvalidDocument.self) { try Assignment(argument: "a") }
    #expect(throws: InvalidDocument.self) { try Assignment(argument: "=a") }
  }

  @Test func aNumericChoiceMayBeAssignedAsANumber() throws {
    #expect(
      (try text.recipe("web.bitDepth=16").outputs[0].format as? PNGFormat)?.bitDepth == .sixteen)
    #expect(diagnostics(text, set: "web.bitDepth=12").count == 1)
  }

  @Test(arguments: [
    ("exposur.stops=1", "there is no step or output 'exposur'", "did you mean 'exposure'?"),
    (
      "zzz.stops=1", "there is no step or output 'zzz'",
      "use one of: big, exposure, resize, soft, web"
    ),
    ("q=1", "there is no parameter 'q'", "did you mean 'p'?"),
    (
      "nothing=1", "there is no parameter 'nothing'",
      "use a parameter: p; or use NAME.SETTING, with the name of a step or output: big, exposure,"
        + " resize, soft, web"
    ),
    (
      "exposure=1", "there is no parameter 'exposure'",
      "name a setting too, as in exposure.SETTING=VALUE"
    ),
    (
      "exposure.mask.x=1", "there is no setting 'exposure.mask.x'",
      "did you mean 'exposure.mask'?"
    ),
    ("exposure.=1", "there is no setting 'exposure.'", nil),
  ])
  func assignmentsToUnknownTargetsAreRefused(
    _ argument: String, _ message: String, _ hint: String?
  ) {
    let found = diagnostics(text, set: argument)
    #expect(found.map(\.problem.message) == [message])
    #expect(found.first?.location?.description == "--set:1:1")
    if let hint { #expect(found.first?.problem.hint == hint) }
  }

  @Test func theHintNamesNoParametersIfThereAreNone() {
    #expect(
      diagnostics(RecipeText(), set: "nothing=1").first?.problem.hint
        == "use NAME.SETTING, with the name of a step or output: web")
  }

  /// An option other than `--set` may set several settings.
  @Test func aMissingStepIsReportedOnceForEachOption() throws {
    let source = SourceText(name: "--crop", text: "0,1")
    let crop = ["left", "top"].map { Assignment(key: "crop.\($0)", text: "0", in: source) }
    let error = #expect(throws: InvalidDocument.self) {
      try text.document().recipe(assignments: crop + [Assignment(argument: "crop.width=1")])
    }
    #expect(
      error?.diagnostics.map(\.location?.description) == ["--crop:1:1", "--set:1:1"])
  }

  /// Two outputs may have steps with the same id.
  @Test func theHintNamesEachStepOnce() throws {
    let resize = #""filters": [{ "filter": "resize", "longEdge": 9 }]"#
    let text = RecipeText(
      outputs: """
        [{ "name": "a", "format": "png", \(resize) }, { "name": "b", "format": "png", \(resize) }]
        """
    ).text
    let hint = try #require(diagnostics(text, set: ["zzzzzzzzzz=1"]).first?.problem.hint)
    #expect(hint.hasSuffix(": a, b, resize"), "\(hint)")
  }

  @Test func anErrorAboutAnUnknownSettingPointsIntoTheArgument() {
    let found = diagnostics(text, set: "exposure.stop=1")
    #expect(found.map(\.location?.description) == ["--set:1:15"])
    #expect(found.first?.problem.hint == "did you mean 'stops'?")
  }

  @Test func assignedValuesOfAWrongTypeAreRefused() {
    #expect(
      diagnostics(text, set: "exposure.stops=bright").map(\.path.description) == [
        "$.filters[0].stops"
      ])
  }

  @Test func assignmentsReplaceOverridesAndUnusedOverridesAreKept() throws {
    let overrides = [
      Assignment(key: "exposure.stops", value: .integer(2)),
      Assignment(key: "soft.radius", value: .integer(3)),
      Assignment(key: "gone.stops", value: .integer(1)),
    ]
    let (recipe, unused) = try text.document().recipe(
      overrides: overrides, assignments: [Assignment(argument: "exposure.stops=5")])
    #expect((recipe.steps[0].filter as? Exposure)?.stops == 5)
    #expect((recipe.steps[1].filter as? Blur)?.radius == .pixels(3))
    #expect(unused.map(\.key) == ["gone.stops"])
  }

  @Test func assigningNullRemovesASetting() throws {
    #expect((try text.recipe("exposure.stops=null").steps[0].filter as? Exposure)?.stops == 0)
    // The value null is also valid for a setting that the recipe does not contain.
    #expect(try text.recipe("soft.opacity=null").steps[1].opacity == 1)
    #expect(diagnostics(text, set: "exposure.stop=null").count == 1)
  }

  private let detailed = RecipeText(
    filters: #"[{"filter":"sepia","mask":{"radial":{"radius":0.3,"angle":10}}}]"#,
    outputs: #"[{"name":"web","format":"jpeg","quality":50,"highlights":{"rolloff":"soft"},"#
      + #""metadata":{"preset":"all","gps":"drop"},"profile":"display-p3","dpi":300},"#
      + #"{"name":"set","kind":"webSet","widths":[100],"formats":["jpeg"],"sizes":"50vw"}]"#,
    more: #""parameters": { "p": { "default": 1, "max": 5 } }, "title": "t${p}", "#)

  @Test func assigningNullRemovesASettingOfAnOutput() throws {
    let recipe = try detailed.recipe(
      "web.quality=null", "web.metadata=null", "web.profile=null", "web.dpi=null",
      "web.maxBytes=null", "set.sizes=null")
    let (output, plain) = (recipe.outputs[0], try RecipeText().recipe().outputs[0])
    #expect((output.format as? JPEGFormat)?.quality == JPEGFormat().quality)
    #expect(output.metadata == plain.metadata)
    #expect(output.profile == plain.profile)
    #expect(output.dpi == nil)
    #expect(recipe.webSets.first?.sizes == "100vw")
    #expect(diagnostics(detailed, set: "web.qualty=null").count == 1)
    #expect(diagnostics(detailed, set: "web.compression=null").count == 1)
    #expect(diagnostics(detailed, set: "web.name=null").count == 1)
  }

  @Test func aPathIntoASettingOfAnOutputIsAssigned() throws {
    let output = try detailed.recipe(
      "web.metadata.gps=keep", "web.highlights.rolloff=hard"
    ).outputs[0]
    #expect(output.metadata.position == .keep)
    #expect(output.rolloff == .hard)
    #expect(try detailed.recipe("web.metadata.gps=null").outputs[0].metadata.position == nil)
    #expect(diagnostics(detailed, set: "web.metadata.gqs=keep").count == 1)
    // There is no such object in the recipe.
    let found = diagnostics(text, set: "web.metadata.gps=keep")
    #expect(found.first?.problem.hint == "did you mean 'web.metadata'?")
  }

  @Test func assigningNullRemovesADeeperSetting() throws {
    let recipe = try detailed.recipe("sepia.mask.radial.angle=null")
    let plain = RecipeText(filters: #"[{"filter":"sepia","mask":{"radial":{"radius":0.3}}}]"#)
    #expect(recipe.steps[0].mask == (try plain.recipe().steps[0].mask))
    #expect(diagnostics(detailed, set: "sepia.mask.radial.radius=null").count == 1)
    #expect(diagnostics(detailed, set: "sepia.mask.radial.angel=null").count == 1)
  }

  @Test func assigningNullGivesAParameterItsDefault() throws {
    #expect(try detailed.recipe("p=null").title == "t1")
    #expect(try detailed.recipe("p=3", "p=null").title == "t1")
    let own = [Assignment(key: "web.quality", value: .null)]
    let (recipe, unused) = try detailed.document().recipe(overrides: own)
    #expect(unused.isEmpty)
    #expect((recipe.outputs[0].format as? JPEGFormat)?.quality == JPEGFormat().quality)
  }
}
