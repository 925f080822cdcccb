import Notation
import Testing

@testable import PhotoStudio

@Suite struct EditTests {
  private func edit(_ text: String) throws -> Edit? {
    Edit(try #require(JSONParser.parse(SourceText(name: "edit", text: text)).json))
  }

  @Test func photosAreGivenSinglyAndAsRanges() throws {
    let text = #"{"photos": ["p3", ["p5", "p90000"]], "operations": [{"unset": "edge"}]}"#
    #expect(try edit(text)?.photos == [3...3, 5...90_000])
    #expect(try edit(#"{"operations": [{"unset": "edge"}]}"#)?.photos == nil)
  }

  @Test(arguments: [
    #"{"set": "exposure..stops", "value": 1}"#, #"{"set": ".stops", "value": 1}"#,
    #"{"set": "", "value": 1}"#, #"{"set": "exposure.stops"}"#, #"{"add": {"id": "hue"}}"#,
    #"{"move": "hue"}"#, #"{"move": "hue", "place": 1}"#, #"{"move": "hue", "before": 1}"#,
    #"{"remove": 1}"#, "[]", "{}",
  ])
  func aMalformedOperationIsRefused(_ operation: String) throws {
    #expect(try edit("{\"operations\": [\(operation)]}") == nil)
  }

  @Test(arguments: [
    #"[]"#, #"["p"]"#, #"["3"]"#, #"[3]"#, #"[["p5", "p4"]]"#, #"[["p5"]]"#,
    #"[["p1", "p2", "p3"]]"#, #"["p-1"]"#, #"["p1", null]"#,
  ])
  func malformedPhotosAreRefused(_ photos: String) throws {
    #expect(try edit("{\"photos\": \(photos), \"operations\": [{\"unset\": \"a\"}]}") == nil)
  }
}
