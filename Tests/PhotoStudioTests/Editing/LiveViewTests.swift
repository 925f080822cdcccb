import Notation
import PhotoRecipes
import Testing

@testable import PhotoStudio

@Suite struct LiveViewTests {
  private static func recipe() throws -> Recipe {
    let text = """
      {"identifier": "org.example.web", "version": "1.0.0", "filters": [
        {"filter": "exposure", "stops": 1},
        {"filter": "contrast", "amount": 0.2, "mask": {"luminance": {"min": 0.5, "max": 1}}},
        {"filter": "sepia"}, {"filter": "rotate", "angle": 90}],
      "outputs": [
        {"name": "web", "format": "jpeg", "path": "web/{stem}.{ext}", "filters": [
          {"filter": "sharpen", "mask": {"radial": {"center": [0.5, 0.5], "radius": 0.5}}},
          {"filter": "resize", "width": 100}]},
        {"name": "print", "format": "tiff", "path": "print/{stem}.{ext}"}]}
      """
    return try RecipeDocument(SourceText(name: "recipe", text: text)) {
      _ throws(Problem) in throw .missingFile("")
    }.recipe().recipe
  }

  private static func view(_ text: String) throws -> LiveView {
    LiveView(try #require(JSONParser.parse(SourceText(name: "view", text: text)).json))
  }

  @Test func anOutputIsShownAlone() throws {
    let recipe = try Self.recipe()
    #expect(recipe.showing(LiveView()).outputs.map(\.name) == ["web", "print"])
    let shown = recipe.showing(try Self.view("{\"output\": \"print\"}"))
    #expect(shown.outputs.map(\.name) == ["print"])
    var among = try Self.view("{\"output\": \"print\"}")
    among.isAmongOthers = true
    #expect(recipe.showing(among).outputs.map(\.name) == ["web", "print"])
    let unknown = recipe.showing(try Self.view("{\"output\": \"poster\"}"))
    #expect(unknown.outputs.map(\.name) == ["web", "print"])
  }

  @Test func aMaskIsPaintedInPlaceOfItsStep() throws {
    let recipe = try Self.recipe()
    let shown = recipe.showing(try Self.view("{\"mask\": \"contrast\"}"))
    #expect(shown.steps.map(\.id) == ["exposure", "contrast", "rotate"])
    #expect(shown.steps[1].filter is Duotone)
    #expect(shown.steps[1].mask == recipe.steps[1].mask)
    #expect(shown.outputs[0].steps.map(\.id) == ["resize"], "only changes of the frame stay")
  }

  @Test(arguments: [
    ("{}", OutputProfile.grey), (#"{"mask": "contrast"}"#, .srgb), (#"{"colour": true}"#, .srgb),
  ])
  func aGreyOutputIsInColourWhereColoursCount(_ view: String, _ profile: OutputProfile) throws {
    var recipe = try Self.recipe()
    recipe.outputs[0].profile = .grey
    #expect(recipe.showing(try Self.view(view)).outputs[0].profile == profile)
  }

  @Test func aMaskOfAnOutputIsPaintedThere() throws {
    let shown = try Self.recipe().showing(try Self.view("{\"mask\": \"sharpen\"}"))
    #expect(shown.steps.map(\.id) == ["exposure", "contrast", "sepia", "rotate"])
    #expect(shown.outputs[0].steps.map(\.id) == ["sharpen", "resize"])
    #expect(shown.outputs[0].steps[0].filter is Duotone)
  }

  @Test func theDepthMapIsPaintedOverThePhoto() throws {
    let recipe = try Self.recipe()
    let shown = recipe.showing(try Self.view("{\"depth\": true}"))
    #expect(shown.steps.map(\.id) == recipe.steps.map(\.id), "steps before it can change the frame")
    for (output, before) in zip(shown.outputs, recipe.outputs) {
      #expect(output.steps.count == before.steps.count + 2)
      let mask = try #require(output.steps.last?.mask)
      #expect(mask.json.compactText == #"{"depth":{"feather":1,"max":1,"min":1}}"#)
    }
  }

  @Test func aFilmIsShownByOneOfItsOutputs() throws {
    let text = """
      {"identifier": "org.example.web", "version": "1.0.0", "outputs": [
        {"name": "web", "format": "jpeg"}, {"name": "film", "format": "mp4"},
        {"name": "poster", "format": "jpeg", "frame": "50%"}]}
      """
    let recipe = try RecipeDocument(SourceText(name: "recipe", text: text)) {
      _ throws(Problem) in throw .missingFile("")
    }.recipe().recipe
    func names(_ isFilm: Bool, _ output: String?) -> [String] {
      recipe.narrowed(toFilm: isFilm, output: output).outputs.map(\.name)
    }
    #expect(names(false, nil) == ["web"])
    #expect(names(false, "poster") == ["web"], "photos do not have the outputs of films")
    #expect(names(true, nil) == ["poster"])
    #expect(names(true, "film") == ["film"])
    #expect(names(true, "web") == ["poster"])
  }

  @Test(arguments: ["exposure", "nothing"])
  func aStepWithoutMaskIsShownAsItIs(_ step: String) throws {
    let recipe = try Self.recipe()
    let shown = recipe.showing(try Self.view("{\"mask\": \"\(step)\"}"))
    #expect(shown.steps.map(\.json) == recipe.steps.map(\.json))
  }
}
