import Notation
import PhotoRecipes
import SystemPackage
import Testing

@testable import PhotoLibrary

@Suite struct IgnoreRulesTests {
  private func rules(_ text: String, in folder: FilePath = "") throws -> IgnoreRules {
    var rules = IgnoreRules()
    try rules.add(Array(text.utf8), in: folder)
    return rules
  }

  @Test(arguments: [
    ("*.tif", "a/b.tif", true), ("*.tif", "b.tiff", false), ("/b.jpg", "a/b.jpg", false),
    ("/b.jpg", "b.jpg", true), ("a/b.jpg", "x/a/b.jpg", false), ("**/a/b.jpg", "x/a/b.jpg", true),
    ("drafts/", "drafts", false), ("#a\n\n", "#a", false), ("\\#a", "#a", true),
    ("*\n!keep.jpg", "keep.jpg", false), ("*\n!keep.jpg", "x.jpg", true),
    ("!keep.jpg\n*", "keep.jpg", true), ("a \\ \n", "a", false), ("b.jpg  \r\n", "b.jpg", true),
    ("b.jpg\r\n", "b.jpg", true), ("b.jpg  \n", "b.jpg", true), ("a\\ \n", "a ", true),
    ("*.{tif,psd}", "x/a.psd", true), ("\\!a", "!a", true),
    ("\u{FEFF}*.tif\nb.jpg", "b.tif", true), ("\u{FEFF}*.tif\nb.jpg", "b.jpg", true),
    ("\u{FEFF}#a", "#a", false), ("[[:digit:]].jpg", "7.jpg", true),
  ])
  func ignoreRulesExcludeMatchingFiles(_ text: String, _ path: String, _ expected: Bool) throws {
    #expect(try rules(text).excludes(FilePath(path), isFolder: false) == expected)
  }

  @Test func anIgnoreRuleThatEndsWithASlashMatchesFoldersOnly() throws {
    let rules = try rules("drafts/\n")
    #expect(rules.excludes("2024/drafts", isFolder: true))
    #expect(!rules.excludes("2024/drafts", isFolder: false))
  }

  @Test func ignoreRulesOfADeeperFolderTakePrecedence() throws {
    var rules = try rules("*.jpg")
    try rules.add(Array("!a.jpg\n/sub/x\n".utf8), in: "trip")
    #expect(!rules.excludes("trip/a.jpg", isFolder: false))
    #expect(rules.excludes("trip/b.jpg", isFolder: false))
    #expect(rules.excludes("trip/sub/x", isFolder: false))
    #expect(!rules.excludes("trip/y/sub/x", isFolder: false))
  }

  /// The braces of each line expand to 16,384 characters.
  @Test func ignoreRulesWithTooManyAlternativesAreRefused() {
    let line = String(repeating: "{,}", count: 12) + "abc\n"
    #expect(throws: Never.self) { try rules(String(repeating: line, count: 50)) }
    #expect(
      throws: IgnoreRulesError.tooLong(
        limit: IgnoreRules.lengthLimit, IgnoreRulesError.Place(folder: "trip", line: 65))
    ) {
      try rules(String(repeating: line, count: 70), in: "trip")
    }
  }

  /// A comparison of characters would sort the marks at the end of each line.
  @Test func ignoreRulesMayHaveManyCombiningMarks() throws {
    let line = "a" + String(repeating: "\u{301}\u{316}", count: 9_000) + "\n"
    let many = try rules(String(repeating: line, count: 20))
    #expect(!many.excludes("a", isFolder: false))
  }

  @Test func errorsInIgnoreRulesNameFileAndLine() {
    let place = IgnoreRulesError.Place(folder: "trip", line: 2)
    #expect(throws: IgnoreRulesError.pattern(.unclosed("[", position: 1), place)) {
      try rules("a\n[b\n", in: "trip")
    }
    #expect(throws: IgnoreRulesError.notUTF8(place)) {
      var broken = IgnoreRules()
      try broken.add([0x61, 0x0A, 0xFF, 0x0A], in: "trip")
    }
    #expect(
      IgnoreRulesError.notUTF8(place).message
        == "trip/.phbatchignore:2: the line is not UTF-8")
  }
}
