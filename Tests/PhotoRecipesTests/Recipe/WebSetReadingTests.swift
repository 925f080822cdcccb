import Notation
import Testing

@testable import PhotoRecipes

@Suite struct WebSetReadingTests {
  private func recipe(_ formats: String, _ more: String = "") -> RecipeText {
    RecipeText(
      outputs: #"""
        [{"name": "p", "kind": "webSet", "widths": [50, 100], "formats": \#(formats)\#(more)}]
        """#)
  }

  /// Each error is reported once, at its place in the recipe.
  @Test(arguments: [
    (#"["avif", {"format": "jpeg", "quality": 0}]"#, "formats[1].quality"),
    (#"[{"format": "jpeg", "current": true}, "webp"]"#, "formats[0].current"),
    (#"[{"format": "jpeg", "qualty": 80}]"#, "formats[0].qualty"),
    (#"[{"format": "webp", "live": "still"}]"#, "formats[0].live"),
    (#"[{"format": "webp", "frame": "1s"}]"#, "formats[0].frame"),
    (#"[{"format": "webp", "gainMap": "keep"}]"#, "formats[0].gainMap"),
    (#"[{"format": "webp", "metadata": {"gps": "x"}}]"#, "formats[0].metadata.gps"),
    (#"["png", {"format": "jxl", "lossless": true, "distance": 1}]"#, "formats[1]"),
    (#"["avif"], "optimize": true"#, "optimize"), (#"["avif"], "dpi": 0"#, "dpi"),
    (#"["avif"], "live": "still""#, "live"), (#"["webp"], "hdr": "pq""#, "hdr"),
    // A value of the whole set is checked even if every format has its own.
    (#"[{"format": "jpeg", "gainMap": "keep"}], "gainMap": "kep""#, "gainMap"),
    (#"[{"format": "jpeg", "dpi": 72}], "dpi": 0"#, "dpi"),
    (#"[{"format": "jpeg", "hdr": "pq"}], "dpi": 72"#, "formats[0].hdr"),
    // The second object of a format is an error; so are errors in it.
    (
      #"[{"format": "jpeg"}, {"format": "jpeg", "quality": 0}]"#,
      "formats[1].format formats[1].quality"
    ),
  ])
  func errorsAreReportedOnceAtTheirPlaces(_ formats: String, _ place: String) {
    let found = diagnostics(recipe(formats))
    let places = place.split(separator: " ").map { "$.outputs[0].\($0)" }
    #expect(found.map(\.path.description) == places)
    #expect(found.allSatisfy { $0.location != nil })
  }

  @Test(arguments: [
    (#""hdr": "pq""#, "jxl or avif"), (#""gainMap": "keep""#, "jxl, avif or jpeg"),
    (#""auxiliary": "keep""#, "avif or jpeg"),
  ])
  func theRemedyOfAKeyThatAFormatCannotStoreNamesFormatsOfWebSets(
    _ setting: String, _ formats: String
  ) {
    let texts = [recipe("[\"png\"], \(setting)"), recipe("[{\"format\": \"png\", \(setting)}]")]
    for text in texts {
      let hints = diagnostics(text).compactMap(\.problem.hint)
      #expect(hints.count == 1)
      let remedy = "or put it into the objects of \(formats) in 'formats'"
      #expect(hints.first?.hasSuffix(remedy) == true)
    }
  }

  /// The names of a set's outputs are made from its name, but only the set's name is written.
  @Test(arguments: ["a b", "", "é", String(repeating: "a", count: 53), "../x"])
  func anInvalidNameIsReportedOnceAtTheName(_ name: String) {
    let outputs = """
      [{"name": "\(name)", "kind": "webSet", "widths": [50, 100], "formats": ["jpeg", "webp"]}]
      """
    let found = diagnostics(RecipeText(outputs: outputs))
    #expect(found.map(\.path.description) == ["$.outputs[0].name"])
    #expect(found.allSatisfy { $0.location != nil })
    #expect(found.first?.problem.message.contains("at most 52 letters") == true)
  }

  @Test func theLongestNameMakesValidNamesOfOutputs() throws {
    let name = String(repeating: "a", count: WebSet.longestName)
    let formats = WebSet.offeredFormats.map { "\"\($0.name)\"" }.joined(separator: ", ")
    let outputs = """
      [{"name": "\(name)", "kind": "webSet", "widths": [16384], "formats": [\(formats)]}]
      """
    let recipe = try RecipeText(outputs: outputs).recipe()
    #expect(recipe.outputs.count == WebSet.offeredFormats.count + 1)
    for output in recipe.outputs where output.name != recipe.webSets[0].placeholder {
      #expect(recipe.webSets[0].rendition(named: output.name)?.width == 16384)
    }
  }

  @Test func anotherOutputWithANameOfTheSetIsReportedAtItsName() {
    for place in [0, 1] {
      var entries = [#"{"name": "s", "kind": "webSet", "widths": [100], "formats": ["jpeg"]}"#]
      entries.insert(#"{"name": "s-100-jpeg", "format": "png"}"#, at: place)
      let found = diagnostics(RecipeText(outputs: "[\(entries.joined(separator: ", "))]"))
      #expect(found.map(\.path.description) == ["$.outputs[\(place)].name"])
      #expect(found.allSatisfy { $0.location != nil })
    }
    let set = #"{"name": "s", "kind": "webSet", "widths": [100], "formats": ["jpeg"], "manifest": "#
    let twice = diagnostics(RecipeText(outputs: #"[\#(set)"a.json"}, \#(set)"b.json"}]"#))
    #expect(twice.map(\.problem) == [.duplicate("s", kind: "web set")])
    #expect(twice.map(\.path.description) == ["$.outputs[1].name"])
    var clash = recipe(#"["jpeg"]"#)
    clash.filters = #"[{"filter": "hue", "id": "p-width"}]"#
    #expect(diagnostics(clash).map(\.path.description) == ["$.filters[0].id"])
    let own = recipe(#"["jpeg"], "filters": [{"filter": "hue", "id": "p-width"}]"#)
    #expect(diagnostics(own).map(\.path.description) == ["$.outputs[0].filters[0].id"])
    let variant = recipe(#"["jpeg"], "path": "{variant}/{stem}-{width}""#)
    #expect(diagnostics(variant).map(\.path.description) == ["$.outputs[0].path"])
  }

  @Test func onlyNamesOfItsOutputsAreRenditionsOfASet() throws {
    let set = try recipe(#"["jpeg"]"#).recipe().webSets[0]
    #expect(set.rendition(named: "p-70-png")?.width == 70)
    #expect(set.rendition(named: "p-70-png")?.format == "png")
    for name in ["p", "p-70", "p-070-png", "p--70-png", "p-1-70-png", "p-70-tiff", "q-70-png"] {
      #expect(set.rendition(named: name) == nil)
    }
  }

  @Test func anUnknownKeyOfAFormatIsReportedWithTheKeysOfTheFormat() {
    let problem = diagnostics(recipe(#"[{"format": "gif", "current": true}]"#)).first?.problem
    #expect(problem?.message == "'gif' in a web set has no key 'current'")
    #expect(
      problem?.hint == """
        use one of: auxiliary, colours, comment, delay, dither, dpi, effort, errorDiffusion, format, \
        gainMap, gamut, hdr, highlights, intent, interFrameMaxError, interPaletteMaxError, \
        keepIfSmaller, loop, maxBytes, metadata, minQuality, minSaving, profile, progressive
        """)
  }

  @Test func aParameterInAFormatIsNamedInItsError() {
    var text = recipe(#"[{"format": "jpeg", "quality": "${q}"}]"#)
    text.more = #""parameters": {"q": {"default": 0}}, "#
    #expect(diagnostics(text).first?.note?.contains("'${q}' is 0") == true)
  }

  /// Photos that version 1.0 has rendered stay up to date.
  @Test func theDigestOfThePlaceholderHasNoMaps() throws {
    let print = try recipe(#"["avif"]"#).recipe().fingerprint(files: [:])
    let placeholder = try #require(print["outputs"]?.array?.last)
    #expect(placeholder["name"] == .string("p-placeholder"))
    #expect(placeholder["gainMap"] == nil && placeholder["auxiliary"] == nil)
  }

  /// The placeholder is a WebP file, which stores neither gain maps nor light above white.
  @Test func settingsOfTheWholeSetThatThePlaceholderCannotHaveDoNotApplyToIt() throws {
    for more in [#", "hdr": "pq""#, #", "gainMap": "rebuild""#, #", "auxiliary": "keep""#] {
      let outputs = try recipe(#"["avif"]"#, more).recipe().outputs
      let plain = try recipe(#"["avif"]"#).recipe().outputs
      #expect(outputs.map(\.name) == plain.map(\.name))
      #expect(outputs.last?.json == plain.last?.json)
      #expect(outputs.first?.json != plain.first?.json)
      #expect(outputs.last?.gainMap == .drop && outputs.last?.auxiliary == .drop)
    }
  }
}
