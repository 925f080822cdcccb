import Notation
import TestRandom
import Testing

@testable import PhotoRecipes

@Suite struct FingerprintTests {
  private let text = RecipeText(
    filters: #"[{"filter":"exposure","stops":1},{"filter":"blur","radius":2}]"#,
    outputs:
      #"[{"name":"web","format":"jpeg","quality":80,"filters":[{"filter":"resize","longEdge":100}]}]"#
  )

  private func fingerprint(_ text: RecipeText, files: [String: String] = [:]) throws -> String {
    try text.recipe().fingerprint(files: files).compactText
  }

  @Test(arguments: [
    RecipeText(head: #""identifier": "org.example.other", "version": "3.2.1""#),
    RecipeText(more: #""title": "x", "comment": "y", "$schema": "z", "#),
    RecipeText(more: #""select": { "include": ["a"], "where": { "width": 5 } }, "#),
    RecipeText(more: #""inputs": { "formats": ["exr", "fits"], "dpi": 300 }, "#),
    RecipeText(more: #""handles": ["a.b@1.0.0"], "variant": "v", "from": "current", "#),
  ])
  func theFingerprintIgnoresPartsThatDoNotChangePixels(_ other: RecipeText) throws {
    var other = other
    (other.filters, other.outputs) = (text.filters, text.outputs)
    #expect(try fingerprint(other) == fingerprint(text))
  }

  @Test(arguments: [
    #"[{"filter":"exposure","stops":1.0,"comment":"c"},{"filter":"blur","radius":2e0}]"#,
    #"[{"filter":"exposure","stops":1,"opacity":1,"enabled":true},{"filter":"blur","radius":2}]"#,
    #"[{"filter":"exposure","stops":1,"id":"light"},{"filter":"blur","radius":2}]"#,
    #"[{"filter":"exposure","stops":1},{"filter":"sepia","enabled":false},{"filter":"blur","radius":2}]"#,
    #"[{"filter":"exposure","stops":1},{"filter":"sepia","opacity":0},{"filter":"blur","radius":2}]"#,
    #"[{"filter":"orient"},{"filter":"exposure","stops":1},{"filter":"hue","angle":0},{"filter":"blur","radius":2}]"#,
  ])
  func equivalentChainsHaveTheSameFingerprint(_ filters: String) throws {
    var other = text
    other.filters = filters
    #expect(try fingerprint(other) == fingerprint(text))
  }

  @Test func theFingerprintIgnoresNamesOfParameters() throws {
    func named(_ name: String, _ value: Int) -> RecipeText {
      RecipeText(
        filters:
          "[{\"filter\":\"exposure\",\"stops\":\"${\(name)}\"},{\"filter\":\"blur\",\"radius\":2}]",
        outputs: text.outputs, more: "\"parameters\": {\"\(name)\":{\"default\":\(value)}}, ")
    }
    #expect(try fingerprint(named("a", 1)) == fingerprint(text))
    #expect(try fingerprint(named("bcd", 1)) == fingerprint(text))
    #expect(try fingerprint(named("a", 2)) != fingerprint(text))
    #expect(
      try named("a", 2).recipe("a=1").fingerprint(files: [:]).compactText == fingerprint(text))
  }

  @Test(arguments: [
    #"[{"filter":"exposure","stops":1.1},{"filter":"blur","radius":2}]"#,
    #"[{"filter":"exposure","stops":1,"opacity":0.9},{"filter":"blur","radius":2}]"#,
    #"[{"filter":"blur","radius":2},{"filter":"exposure","stops":1}]"#,
    #"[{"filter":"exposure","stops":1},{"filter":"blur","radius":2},{"filter":"flip"}]"#,
    #"[{"filter":"exposure","stops":1}]"#,
  ])
  func differentChainsHaveDifferentFingerprints(_ filters: String) throws {
    var other = text
    other.filters = filters
    #expect(try fingerprint(other) != fingerprint(text))
  }

  @Test(arguments: [
    #""name":"wab""#, #""format":"png""#, #""quality":81"#, #""path":"{stem}.jpg""#,
    #""profile":"display-p3""#,
    #""intent":"perceptual""#, #""metadata":"all""#, #""dpi":300"#, #""progressive":true"#,
  ])
  func theFingerprintContainsEverySettingOfAnOutput(_ member: String) throws {
    var plain = text
    plain.outputs = #"[{"name":"web","format":"jpeg"}]"#
    let key = member.prefix { $0 != ":" }
    var other = plain
    let members = [#""name":"web""#, #""format":"jpeg""#].filter { !$0.hasPrefix(key) } + [member]
    other.outputs = "[{\(members.joined(separator: ","))}]"
    #expect(try fingerprint(other) != fingerprint(plain))
  }

  @Test func theFingerprintContainsRenderingModeFilesAndRevisions() throws {
    var exact = text
    exact.more = #""rendering": "exact", "#
    #expect(try fingerprint(exact) != fingerprint(text))
    #expect(try fingerprint(text, files: ["a": "1"]) != fingerprint(text))
    #expect(try fingerprint(text, files: ["a": "1"]) != fingerprint(text, files: ["a": "2"]))
    let steps = try text.recipe().fingerprint(files: [:])["filters"]?.array ?? []
    #expect(steps.map { $0["revision"]?.integer } == [Exposure.revision, Blur.revision])
  }

  /// Steps of a filter with different random settings have different fingerprints.
  @Test(arguments: Catalog.filters.map { $0.name })
  func theFingerprintContainsEverySettingOfAFilter(_ name: String) throws {
    var generator = SeededGenerator(seed: 5)
    let type = try #require(Catalog.filter(named: name))
    let samples = (0..<(TestVolume.isWhole ? 300 : 60)).compactMap { _ in
      RandomFilter.step(type, &generator)
    }
    var seen: [String: String] = [:]
    for var step in samples where !step.isIdentity {
      step.id = name
      var recipe = try text.recipe()
      recipe.steps = [step]
      let print = recipe.fingerprint(files: [:]).compactText
      let settings = step.json.compactText
      #expect(seen[print] == nil || seen[print] == settings)
      seen[print] = settings
    }
    #expect(!seen.isEmpty || name == "orient")
  }
}
