import Notation
import PhotoRecipes
import Testing

@testable import PhotoStudio

@Suite struct WholeEdgesTests {
  private static let text = """
    {"identifier": "org.example.web", "version": "1.0.0",
     "parameters": {
       "wide": {"default": 1.0, "min": 0.1, "max": 1}, "mat": {"default": "8%"},
       "tall": {"default": 0.5, "choices": [0.5, 1.0]}, "light": {"default": 1.0, "choices": [0.5, 1.0]}},
     "filters": [
       {"filter": "exposure", "stops": 1.0}, {"filter": "exposure", "id": "more", "stops": "${light}"},
       {"filter": "crop", "left": 0, "top": 1, "width": 1.0, "height": 1e0},
       {"filter": "crop", "id": "final", "width": "${wide}", "height": "${tall}"}],
     "outputs": [{"name": "web", "format": "jpeg", "path": "{stem}.{ext}", "filters": [
       {"filter": "border", "width": "${mat}"}, {"filter": "resize", "longEdge": 0.5}]}]}
    """

  private static func document() throws -> RecipeDocument {
    try RecipeDocument(SourceText(name: "recipe", text: text)) { _ throws(Problem) in
      throw .missingFile("")
    }
  }

  private static func json(_ text: String) throws -> JSON {
    try #require(JSONParser.parse(SourceText(name: "value", text: text)).json)
  }

  @Test func wholeEdgesAreStatedAsPercentages() throws {
    let steps = WholeEdges.stated(try #require(try Self.document().tree["filters"])).array ?? []
    #expect(steps[0]["stops"] == JSON(.number("1.0")))
    #expect(
      steps[2].compactText
        == #"{"filter":"crop","height":"100%","left":0,"top":1,"width":"100%"}"#)
  }

  @Test(arguments: [
    ("crop.width", "1.0", #""100%""#), ("crop.width", "1", "1"), ("crop.width", "0.5", "0.5"),
    ("final.top", "1e0", #""100%""#), ("resize.shortEdge", "1.0", #""100%""#),
    ("wide", "1.0", #""100%""#), ("mat", "1.0", #""100%""#), ("light", "1.0", "1.0"),
    ("exposure.stops", "1.0", "1.0"),
  ])
  func ownLengthsAreStatedAsPercentages(_ key: String, _ value: String, _ stated: String) throws {
    let own = JSON.Object([JSON.Object.Member(key, try Self.json(value))])
    #expect(try WholeEdges(Self.document()).stated(own)[key] == Self.json(stated))
  }

  @Test func choicesAreStatedAsPercentages() throws {
    let edges = WholeEdges(try Self.document())
    let choices = try Self.json("[0.5, 1.0]")
    #expect(edges.stated(choices, of: "tall").compactText == #"[0.5,"100%"]"#)
    #expect(edges.stated(choices, of: "light") == choices)
  }

  @Test(arguments: [
    ("crop.width", #""100%""#, #""100%""#), ("crop.width", "1", "1"), ("wide", #""100%""#, "1.0"),
    ("wide", "0.5", "0.5"), ("mat", #""100%""#, #""100%""#), ("tall", #""100%""#, "1.0"),
    ("light", "1", "1.0"), ("light", "0.5", "0.5"), ("light", "0.7", "0.7"),
  ])
  func valuesFromThePageAreThoseThatItMeans(
    _ key: String, _ value: String, _ meant: String
  ) throws {
    let edges = WholeEdges(try Self.document())
    #expect(edges.meant(try Self.json(value), for: key) == (try Self.json(meant)))
  }
}
