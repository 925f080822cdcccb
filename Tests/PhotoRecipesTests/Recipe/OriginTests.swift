import Notation
import Testing

@testable import PhotoRecipes

/// The origins of settings, as `phbatch explain` prints them.
@Suite struct OriginTests {
  private func origins(_ recipe: RecipeText, set: String...) throws -> [String: String] {
    try origins(recipe.document(), set)
  }

  private func origins(_ document: RecipeDocument, _ set: [String]) throws -> [String: String] {
    let assignments = try set.map { try Assignment(argument: $0) }
    let settings = document.settings(
      of: try document.recipe(assignments: assignments).recipe, assignments)
    return Dictionary(uniqueKeysWithValues: settings.map { ($0.place, $0.origin) })
  }

  @Test func theWrittenSettingsOfTheRecipeAndItsOutputsAreListed() throws {
    let base = """
      {"rendering": "exact", "inputs": {"comment": "x", "raw": {"look": "neutral"}}, "outputs": [
      {"name": "web", "format": "jpeg", "profile": "display-p3", "metadata": {"drop": ["gps"]},
      "highlights": {"rolloff": "hard"}, "comment": "x"}]}
      """
    let own = """
      {"extends": "base.json", "identifier": "org.example.own", "version": "1.0.0",
      "highlights": {"rolloff": "soft"},
      "outputs": [{"name": "web", "gamut": "perceptual", "maxBytes": 9000}]}
      """
    let document = try RecipeDocument(own, files: ["base.json": base])
    var origins = try origins(document, ["web.metadata.gps=drop", "web.minWidth=10"])
    #expect(origins["web.quality"] == "default")
    for key in JPEGFormat.settingNames { origins["web.\(key)"] = nil }
    #expect(
      origins == [
        "rendering": "base.json:1:15", "inputs.raw.look": "base.json:1:67",
        "highlights.rolloff": "recipe.json:2:27", "web.profile": "base.json:2:46",
        "web.metadata.drop": "base.json:2:81", "web.metadata.gps": "--set:1:18",
        "web.highlights.rolloff": "base.json:3:27", "web.gamut": "recipe.json:3:38",
        "web.maxBytes": "recipe.json:3:64", "web.minWidth": "--set:1:14",
      ])
  }

  @Test func eachSettingOfAMaskHasItsOwnOrigin() throws {
    let recipe = RecipeText(
      filters: #"[{"filter": "hue", "mask": {"radial": {"radius": 0.3, "angle": 20}}}]"#)
    let document = try recipe.document()
    let origins = try origins(document, ["hue.mask.radial.radius=0.5"])
    #expect(origins["hue.mask.radial.radius"]?.hasPrefix("--set:") == true)
    #expect(origins["hue.mask.radial.angle"]?.hasPrefix("recipe.json:1:") == true)
    #expect(origins["hue.mask"] == nil)
    let own = [Assignment(key: "hue.mask", value: .object(["luminance": .object([:])]))]
    let personal = try document.recipe(overrides: own).recipe
    let settings = document.settings(of: personal, [], own: own)
    let mask = settings.filter { $0.place.hasPrefix("hue.mask") }
    #expect(mask.map(\.place) == ["hue.mask.luminance"])
    #expect(mask.map(\.origin) == ["this photo's own"])
  }

  /// The place of a list is not that of a parameter in it that was set elsewhere.
  @Test func parametersInListsHaveThePlacesWhereTheyWereSet() throws {
    let recipe = RecipeText(
      filters: """
        [{"filter": "hue", "mask": {"subtract": [
        {"radial": {"center": ["${x}", 0.5], "radius": 0.2}}, {"luminance": {"min": 0.8}}]}}]
        """,
      outputs: """
        [{"name": "s", "kind": "webSet", "widths": ["${w}", 200], "formats": ["jpeg"]}]
        """,
      more: #""parameters": {"x": {"default": 0.1}, "w": {"default": 100}}, "#)
    let origins = try origins(recipe, set: "w=150", "x=0.4")
    #expect(origins["s-150-jpeg/s-width.width"] == "--set:1:3")
    #expect(origins["s-200-jpeg/s-width.width"]?.hasPrefix("recipe.json:2:") == true)
    #expect(origins["hue.mask.subtract[0].radial.center"] == "--set:1:3")
    #expect(origins["hue.mask.subtract[0].radial.radius"]?.hasPrefix("recipe.json:2:") == true)
    #expect(origins["hue.mask.subtract[1].luminance.min"]?.hasPrefix("recipe.json:2:") == true)
    #expect(origins["hue.mask.subtract"] == nil)
  }

  @Test func aParameterIsNotTakenForAKeyOfTheRecipe() throws {
    let recipe = RecipeText(
      filters: #"[{"filter": "exposure", "stops": "${rendering}"}]"#,
      more: #""rendering": "exact", "parameters": {"rendering": {"default": 1}}, "#)
    let own = [Assignment(key: "rendering", value: .number(0.8))]
    let document = try recipe.document()
    let settings = document.settings(
      of: try document.recipe(overrides: own).recipe, [], own: own)
    let origins = Dictionary(uniqueKeysWithValues: settings.map { ($0.place, $0.origin) })
    #expect(origins["rendering"]?.hasPrefix("recipe.json:") == true)
    #expect(origins["exposure.stops"] == "this photo's own")
  }

  @Test func aPhotoCannotHaveItsOwnKeysOfAPage() throws {
    let document = try RecipeText(
      outputs: """
        [{"name": "s", "kind": "webSet", "widths": [50], "formats": ["jpeg"], "sizes": "9vw"}]
        """
    ).document()
    let own = [
      Assignment(key: "s.sizes", value: .string("5vw")),
      Assignment(key: "s.widths", value: .array([.integer(70)])),
    ]
    let (recipe, unused) = try document.recipe(overrides: own)
    #expect(unused.map(\.key) == ["s.sizes"])
    #expect(recipe.webSets.map(\.sizes) == ["9vw"] && recipe.webSets.map(\.widths) == [[70]])
    let sizes = document.settings(of: recipe, [], own: own).first { $0.place == "s.sizes" }
    #expect(sizes?.origin.hasPrefix("recipe.json:") == true)
  }

  @Test func theSettingsOfAWebSetHaveTheirPlacesInTheRecipe() throws {
    let recipe = RecipeText(
      outputs: """
        [{"name": "s", "kind": "webSet", "widths": [480], "base": "/s/",
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
    #expect(origins["s.base"]?.hasPrefix("recipe.json:1:") == true)
    #expect(origins["s-480-webp.path"] == nil && origins["s-480-webp.minWidth"] == nil)
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
