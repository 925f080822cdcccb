import Notation
import PhotoRecipes
import Testing

@testable import PhotoBatch

/// The text for the differences between two recorded recipes.
@Suite struct RecordDifferenceTests {
  private static func changes(_ old: String, _ new: String) throws -> [String] {
    let values = try [old, new].map {
      try #require(JSONParser.parse(SourceText(name: "", text: $0)).json)
    }
    return RecordDifference(from: values[0], to: values[1]).changes.map(\.text)
  }

  @Test(arguments: [
    (#"{"filters": []}"#, #"{"filters": []}"#, []),
    (
      #"{"filters": [{"filter": "exposure", "stops": 1}]}"#,
      #"{"filters": [{"filter": "exposure", "stops": 2}]}"#, ["exposure.stops was 1, is now 2"]
    ),
    (
      #"{"filters": [{"filter": "exposure", "stops": 1}]}"#,
      #"{"filters": [{"filter": "exposure"}]}"#, ["exposure.stops was 1, is now the default"]
    ),
    (
      #"{"filters": [{"filter": "exposure", "id": "first"}, {"filter": "exposure"}]}"#,
      #"{"filters": [{"filter": "exposure"}, {"filter": "exposure", "id": "first"}]}"#,
      ["the order changed"]
    ),
    (
      #"{"filters": [{"filter": "exposure", "stops": 1}, {"filter": "exposure", "stops": 1}]}"#,
      #"{"filters": [{"filter": "exposure", "stops": 1}, {"filter": "exposure", "stops": 3}]}"#,
      ["exposure-2.stops was 1, is now 3"]
    ),
    (
      #"{"outputs": [{"name": "web", "filters": [{"filter": "resize", "width": 9}]}]}"#,
      #"{"outputs": [{"name": "web", "filters": [{"filter": "resize", "width": 8}]}]}"#,
      ["web.resize.width was 9, is now 8"]
    ),
    (
      #"{"outputs": [{"name": "web"}]}"#, #"{"outputs": [{"name": "print"}]}"#,
      ["web was removed", "print was added"]
    ),
  ])
  func differencesBetweenTwoRecipesAreDescribedInWords(
    _ old: String, _ new: String, _ expected: [String]
  ) throws {
    #expect(try Self.changes(old, new) == expected)
  }
}
