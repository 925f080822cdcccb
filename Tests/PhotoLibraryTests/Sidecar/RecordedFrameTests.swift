import Notation
import PhotoLibrary
import PhotoRecipes
import Testing

/// The map from positions in the original to positions in a rendition, as sidecars record it.
@Suite struct RecordedFrameTests {
  private func json(_ text: String) throws -> JSON {
    try #require(JSONParser.parse(SourceText(name: "frame", text: text)).json)
  }

  @Test func numbersAreShortAndKeepTheMap() throws {
    let map = Homography([-2.0 / 3, 1e-17, 2], [0, -4.0 / 3, 1], [0.1 / 3, 0, 2])
    let recorded = try #require(Homography(json(map.rounded.json.compactText)))
    #expect(map.rounded.json.compactText == "[-0.333333333,0,1,0,-0.666666667,0.5,0.016666667,0,1]")
    for point in [Homography.Point(0, 0), [1, 1], [0.25, 0.75]] {
      let distance = recorded(point) - map(point)
      #expect((distance * distance).sum().squareRoot() < 1e-8)
    }
  }

  @Test(arguments: [
    "[]", "[1,0,0,0,1,0,0,0]", "[1,0,0,0,1,0,0,0,1,0]", "[0,0,0,0,0,0,0,0,0]",
    #"[1,0,0,0,1,0,0,0,"1"]"#, "{}", "1",
  ])
  func otherValuesAreRefused(_ text: String) throws {
    #expect(Homography(try json(text)) == nil)
  }
}
