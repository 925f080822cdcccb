import Notation
import TestRandom
import Testing

@Suite struct GlobTests {
  @Test(arguments: [
    ("**/*", "a.jpg", true), ("**/*", "x/y/a.jpg", true), ("*", "x/a.jpg", false),
    ("**", "x/a.jpg", true), ("*.jpg", "a.JPG", false), ("a/**", "a", false),
    ("a/**", "a/b/c", true), ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true),
    ("a/**/b", "ab", false), ("a/**/b", "a/xb", false), ("**/a/b", "x/a/b", true),
    ("**/a", "xa", false), ("x**y", "x12y", true), ("x**y", "x/y", false),
    ("?.jpg", "é.jpg", true), ("?.jpg", "/.jpg", false), ("[a-c]?", "bé", true),
    ("[!a-c]", "b", false), ("[!a-c]", "/", false), ("[^a]", "b", true), ("[]a]", "]", true),
    ("[a-]", "-", true), ("[ä-ü]", "ö", true), ("[\\]]", "]", true),
    ("*.{jpg,JPG}", "a.JPG", true), ("*.{jpg,JPG}", "a.png", false), ("a{b,c{d,e}}f", "acef", true),
    ("a{,b}", "a", true), ("{**/,}x", "p/q/x", true), ("a,b", "a,b", true),
    ("\\*", "*", true), ("\\*", "a", false), ("\\{a\\}", "{a}", true), ("a*b*c", "aXbYc", true),
    ("a\nb", "a\nb", true), ("", "", false),
    ("[[:alpha:]]*", "bild", true), ("[[:alpha:]]*", "1", false), ("[[:alpha:]]", "é", false),
    ("[![:digit:]_]", "a", true), ("[![:digit:]_]", "7", false), ("[![:digit:]_]", "_", false),
    ("x[[:space:]-]y", "x y", true), ("x[[:space:]-]y", "x-y", true), ("[[:none:]", ":", true),
  ])
  func patternsMatchTheExpectedPaths(_ pattern: String, _ path: String, _ expected: Bool) throws {
    guard !pattern.isEmpty else {
      #expect(throws: GlobError.empty) { try Glob(pattern) }
      return
    }
    #expect(try Glob(pattern).matches(Array(path.utf8)) == expected)
  }

  @Test func aByteThatIsNotUTF8MatchesAsOneCharacter() throws {
    #expect(try Glob("a?b").matches([0x61, 0xFF, 0x62]))
    #expect(try !Glob("a?b").matches([0x61, 0xFF, 0xFE, 0x62]))
    #expect(try Glob("é/?").matches(Array("é/".utf8) + [0xFF]), "only the broken part is bytes")
    #expect(try Glob("/*").matches([0x2F, 0xFF]))
  }

  @Test(arguments: [
    ("a[b", GlobError.unclosed("[", position: 2)), ("{a,b", .unclosed("{", position: 1)),
    ("a}", .unopened("}", position: 2)), ("a\\", .danglingBackslash(position: 2)),
    ("[z-a]", .reversedRange("z", "a", position: 2)),
  ])
  func invalidPatternsAreRefused(_ pattern: String, _ error: GlobError) {
    #expect(throws: error) { try Glob(pattern) }
  }

  @Test func patternsWithTooManyAlternativesAreRefused() {
    for braces in ["{a,b}", "{,}"] {
      #expect(throws: GlobError.tooLong(limit: 20_000)) {
        try Glob(String(repeating: braces, count: 40))
      }
    }
    #expect(throws: GlobError.tooDeep(limit: 64)) {
      try Glob(String(repeating: "{", count: 100_000))
    }
  }

  /// A copy of the alternatives for each token would take seconds, and gigabytes of memory for the
  /// group of groups.
  @Test func theTimeOfParsingGrowsLinearly() throws {
    let long = String(repeating: "a", count: 19_999)
    #expect(try Glob(long).matches(Array(long.utf8)))
    #expect(throws: GlobError.tooLong(limit: 20_000)) { try Glob(long + "a") }
    let braces = String(repeating: "{a}", count: 19_999)
    #expect(try Glob(braces).matches(Array(long.utf8)))
    let empty = "{a,b}" + String(repeating: "{}", count: 1_000_000)
    #expect(try Glob(empty).matches([UInt8(ascii: "b")]))
    let group = "{" + String(repeating: String(repeating: "{x,y}", count: 10) + ",", count: 50_000)
    #expect(throws: GlobError.tooLong(limit: 20_000)) { try Glob(group + "}") }
    let classes = "[" + String(repeating: "[:", count: 500_000)
    #expect(throws: GlobError.unclosed("[", position: 1)) { try Glob(classes) }
  }

  /// A match compares a character with each range of a set, so the ranges are counted.
  @Test func theRangesOfASetCountForTheLengthOfAPattern() throws {
    let set = "[" + String(repeating: "ac", count: 50) + "]"
    #expect(try Glob(set).length == 101)
    #expect(try Glob("{x,y}\(set)").length == 204)
    #expect(throws: GlobError.tooLong(limit: 20_000)) {
      try Glob(String(repeating: "{,}", count: 9) + set)
    }
  }

  /// The time of a match grows linearly; a backtracking matcher would take years for this pattern.
  @Test func theTimeOfAMatchGrowsLinearly() throws {
    let glob = try Glob(String(repeating: "*a", count: 50) + "b")
    let path = [UInt8](repeating: UInt8(ascii: "a"), count: 4_000)
    #expect(!glob.matches(path))
  }

  /// Gives the same results as a backtracking matcher on 20,000 random pairs of a pattern and a
  /// path.
  @Test func matchesEqualThoseOfABacktrackingMatcher() throws {
    var random = SeededGenerator(seed: 7)
    let parts = ["a", "b", "/", "*", "**", "?", "[ab]", "[!a]", "**/", "/**"]
    var agreements = 0
    for _ in 0..<20_000 {
      let chosen = (0..<Int.random(in: 1...5, using: &random)).compactMap { _ in
        parts.randomElement(using: &random)
      }
      let pattern = chosen.joined()
      let path = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
        ["a", "b", "/"].randomElement(using: &random)
      }.joined()
      let expected = Backtracking.matches(Array(pattern)[...], Array(path)[...], atStart: true)
      #expect(try Glob(pattern).matches(Array(path.utf8)) == expected, "\(pattern) on \(path)")
      if expected { agreements += 1 }
    }
    #expect(agreements > 1_000)
  }
}

/// A direct definition of the meaning of patterns without braces and escapes.
private enum Backtracking {
  static func matches(
    _ pattern: ArraySlice<Character>, _ path: ArraySlice<Character>, atStart: Bool
  ) -> Bool {
    guard let first = pattern.first else { return path.isEmpty }
    if first == "*" {
      let stars = pattern.prefix { $0 == "*" }.count
      let rest = pattern.dropFirst(stars)
      if stars > 1, atStart, rest.isEmpty { return !path.isEmpty || pattern.startIndex == 0 }
      if stars > 1, atStart, rest.first == "/" {
        let after = rest.dropFirst()
        return matches(after, path, atStart: true)
          || path.indices.contains {
            path[$0] == "/" && matches(after, path[($0 + 1)...], atStart: true)
          }
      }
      let reach = path.prefix { $0 != "/" }.count
      return (0...reach).contains { matches(rest, path.dropFirst($0), atStart: false) }
    }
    guard let next = path.first else { return false }
    switch first {
    case "?":
      return next != "/" && matches(pattern.dropFirst(), path.dropFirst(), atStart: false)
    case "[":
      let isNegated = pattern.dropFirst().first == "!"
      let members: Set<Character> = isNegated ? ["a"] : ["a", "b"]
      return next != "/" && members.contains(next) != isNegated
        && matches(pattern.dropFirst(4), path.dropFirst(), atStart: false)
    default:
      return next == first && matches(pattern.dropFirst(), path.dropFirst(), atStart: first == "/")
    }
  }
}
