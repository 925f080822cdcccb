import Notation
import PhotoRecipes
import Testing

@Suite struct SynonymTests {
  @Test(arguments: [
    ("definition", "clarity"), ("Structure", "clarity"), ("brilliance", "light"),
    ("noiseReduction", "denoise"), ("noise-reduction", "denoise"), ("temperature", "whiteBalance"),
    ("awb", "autoWhiteBalance"), ("grayscale", "blackAndWhite"), ("gaussianBlur", "blur"),
    ("unsharp_mask", "sharpen"), ("mirror", "flip"), ("logo", "watermark"),
    ("colorBalance", "colourBalance"), ("selectiveColor", "selectiveColour"),
    ("falseColor", "falseColour"), ("grayPoint", "greyPoint"), ("equalise", "equalize"),
    ("normalise", "normalize"), ("vignetting", "vignette"), ("whitebalance", "whiteBalance"),
  ])
  func filtersAreSuggestedForNamesOfOtherPrograms(_ name: String, _ expected: String) {
    #expect(Spelling.nearest(to: name, among: Catalog.filters.map { $0.name }) == expected)
    let recipe = RecipeText(filters: #"[{"filter": "\#(name)"}]"#)
    #expect(diagnostics(recipe).first?.problem.hint == "did you mean '\(expected)'?")
  }

  @Test(arguments: [
    ("color", "colour"), ("color-dodge", "colour-dodge"), ("colorBurn", "colour-burn"),
    ("source-over", "over"), ("destination-in", "dest-in"), ("linear-dodge", "add"),
    ("copy", "source"), ("luminance", "luminosity"),
  ])
  func blendModesAreSuggestedForNamesOfOtherPrograms(_ name: String, _ expected: String) {
    let modes = BlendMode.allCases.map(\.rawValue)
    #expect(Spelling.nearest(to: name, among: modes) == expected)
  }

  @Test(arguments: [
    (#""filter": "clarity", "strength": 1"#, "amount"),
    (#""filter": "vignette", "amount": 1"#, "intensity"),
    (#""filter": "blur", "sigma": 1"#, "radius"),
    (##""filter": "duotone", "shadow": "#000""##, "shadows"),
    (##""filter": "border", "color": "#000""##, "colour"),
  ])
  func settingsAreSuggestedForNamesOfOtherPrograms(_ step: String, _ expected: String) {
    let found = diagnostics(RecipeText(filters: "[{\(step)}]"))
    #expect(found.contains { $0.problem.hint == "did you mean '\(expected)'?" }, "\(found)")
  }

  /// For the exact name of a filter, the spelling suggestion is this filter and not another one.
  @Test func theExactNameOfAFilterSuggestsThatFilter() {
    let names = Catalog.filters.map { $0.name }
    for name in names { #expect(Spelling.nearest(to: name, among: names) == name) }
  }
}
