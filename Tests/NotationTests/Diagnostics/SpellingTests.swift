import Testing

@testable import Notation

@Suite struct SpellingTests {
  @Test(arguments: [
    ("exposur", "exposure"), ("Exposure", "exposure"), ("exopsure", "exposure"),
    ("color", "colour"),
    ("blr", "blur"),
  ])
  func theNearestNameIsSuggested(_ name: String, _ expected: String) {
    #expect(Spelling.nearest(to: name, among: ["blur", "colour", "exposure"]) == expected)
  }

  /// A name that differs only in case is suggested before another program's synonym.
  @Test(arguments: [
    ("Strength", "strength"), ("AMOUNT", "amount"), ("Noise", "noise"), ("Sigma", "radius"),
  ])
  func suggestionsIgnoreCapitals(_ name: String, _ expected: String) {
    let known = ["amount", "grain", "intensity", "noise", "radius", "strength"]
    #expect(Spelling.nearest(to: name, among: known) == expected)
  }

  @Test(arguments: ["", "zzz", "exp", String(repeating: "exposure", count: 100_000)])
  func veryDifferentNamesGetNoSuggestion(_ name: String) {
    #expect(Spelling.nearest(to: name, among: ["blur", "colour", "exposure"]) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("ab", "ba", 1), ("abc", "abd", 1), ("kitten", "sitting", 3),
  ])
  func theDistanceOfTwoNamesIsTheNumberOfEdits(_ a: String, _ b: String, _ expected: Int) {
    #expect(Spelling.distance(Array(a.unicodeScalars), Array(b.unicodeScalars)) == expected)
    #expect(Spelling.distance(Array(b.unicodeScalars), Array(a.unicodeScalars)) == expected)
  }
}

@Suite struct SourceTextTests {
  private let text = SourceText(name: "a", text: "é1\r\n\n  x")

  @Test(arguments: [(0, 1, 1), (2, 1, 2), (5, 2, 1), (8, 3, 3), (9, 3, 4), (99, 3, 4)])
  func theLineAndColumnOfAnOffsetAreFound(_ offset: Int, _ line: Int, _ column: Int) {
    #expect(text.position(of: offset) == (line, column))
  }

  @Test func theTextOfTheLineAtAnOffsetIsFound() {
    #expect([0, 4, 5, 8, 99].map { text.line(at: $0) } == ["é1", "é1", "", "  x", "  x"])
  }
}
