import Testing

@testable import Notation

@Suite struct JSONParserTests {
  private func parse(_ text: String) -> (json: JSON?, diagnostics: Diagnostics) {
    JSONParser.parse(SourceText(name: "a.json", text: text))
  }

  @Test func parsedValuesKeepTheirPositionsInTheText() throws {
    let json = try #require(parse("{\n  \"é\": [1,\n    \"x\"]\n}").json)
    let array = try #require(json["é"])
    #expect(json.location?.description == "a.json:1:1")
    #expect(json.object?.members.first?.keyLocation?.description == "a.json:2:3")
    #expect(array.location?.description == "a.json:2:8")
    #expect(array.array?.last?.location?.description == "a.json:3:5")
  }

  @Test func parsedNumbersKeepTheirSpelling() {
    let spellings = ["0", "-0", "1.50", "1e3", "1E+3", "-12.5e-7", "9007199254740993"]
    for spelling in spellings { #expect(parse(spelling).json?.value == .number(spelling)) }
  }

  @Test(arguments: [
    (#""\u0041\n\t\"\\\/\b\f\r""#, "A\n\t\"\\/\u{8}\u{C}\r"), (#""\ud83d\ude00""#, "😀"),
    (#""\u0000""#, "\0"), ("\"\u{7F}\"", "\u{7F}"), (#""\u00E9""#, "é"),
  ])
  func escapesInStringsAreDecoded(_ text: String, _ expected: String) {
    #expect(parse(text).json?.string == expected)
  }

  @Test(arguments: [
    ("", JSONSyntax.empty, 1, 1), (" \n ", .empty, 2, 2),
    ("{", .unexpectedEnd(in: "an object"), 1, 2),
    ("[1", .unexpectedEnd(in: "an array"), 1, 3), ("[", .unexpectedEnd(in: "the document"), 1, 2),
    ("[\"a", .unexpectedEnd(in: "a string"), 1, 2), ("{} x", .trailing, 1, 4),
    ("[1 2]", .unexpected("'2'", expected: "',' or ']'"), 1, 4),
    ("{\"a\" 1}", .unexpected("'1'", expected: "':'"), 1, 6),
    ("{\"a\":1 \"b\":2}", .unexpected("'\"'", expected: "',' or '}'"), 1, 8),
    ("{a: 1}", .unexpected("'a'", expected: "a key in quotes"), 1, 2),
    ("[,]", .unexpected("','", expected: "a value"), 1, 2),
    ("[tru]", .unexpected("'tru'", expected: "a value"), 1, 2),
    ("['a']", .unexpected("'''", expected: "a value"), 1, 2),
    ("[1,\n]", .trailingComma, 1, 3), ("{\"a\": 1 , }", .trailingComma, 1, 9),
    ("[NaN]", .notANumber("NaN"), 1, 2), ("[-Infinity]", .notANumber("-Infinity"), 1, 2),
    ("[01]", .notANumber("01"), 1, 2), ("[1.]", .notANumber("1."), 1, 2),
    ("[.5]", .notANumber(".5"), 1, 2), ("[+1]", .notANumber("+1"), 1, 2),
    ("[1e]", .notANumber("1e"), 1, 2), ("[1e999]", .hugeNumber("1e999"), 1, 2),
    ("[0x10]", .notANumber("0x10"), 1, 2), ("[-]", .notANumber("-"), 1, 2),
    ("// a\n{}", .comment, 1, 1), ("{} # a", .comment, 1, 4), ("[1, /* */ 2]", .comment, 1, 5),
    (#"["\x"]"#, .badEscape, 1, 3), (#"["\u12G4"]"#, .badEscape, 1, 3),
    (#"["\ud83d\ude0"]"#, .badEscape, 1, 9),
    (#"["\ud800"]"#, .loneSurrogate, 1, 3), (#"["\ud800\u0041"]"#, .loneSurrogate, 1, 3),
    (#"["\udc00"]"#, .loneSurrogate, 1, 3), ("[\"a\u{1}\"]", .controlCharacter, 1, 4),
    ("[\"a\n\"]", .lineBreak, 1, 2),
  ])
  func syntaxErrorsAreReported(
    _ text: String, _ expected: JSONSyntax, _ line: Int, _ column: Int
  ) throws {
    let (json, found) = parse(text)
    let diagnostic = try #require(found.all.first)
    #expect(json == nil)
    #expect(found.all.count == 1)
    #expect(diagnostic.problem == .syntax(expected))
    #expect(diagnostic.location?.description == "a.json:\(line):\(column)")
  }

  @Test func byteOrderMarksAreSkippedAndInvalidUTF8IsRefused() {
    func problem(_ bytes: [UInt8]) -> Diagnostic? {
      JSONParser.parse(SourceText(name: "a.json", bytes: bytes)).diagnostics.all.first
    }
    #expect(problem([0xEF, 0xBB, 0xBF, 0x7B, 0x7D]) == nil)
    // Editors do not count a byte-order mark as a column, so the error is in column 2.
    #expect(problem(Array("\u{FEFF}{x".utf8))?.location?.description == "a.json:1:2")
    #expect(problem(Array("\u{FEFF}".utf8))?.problem == .syntax(.empty))
    #expect(problem(Array("\u{FEFF}\u{FEFF}{}".utf8)) != nil)
    let bad = problem(Array("[\n\"é".utf8) + [0xFF] + Array("\"]".utf8))
    #expect(bad?.problem == .syntax(.notUTF8))
    #expect(bad?.location?.description == "a.json:2:3")
    // An encoded surrogate is not valid UTF-8.
    #expect(problem([0x22, 0xED, 0xA0, 0x80, 0x22])?.problem == .syntax(.notUTF8))
  }

  @Test func duplicateKeysAreAllReportedWithTheirPaths() {
    let (json, found) = parse(#"{ "a": 1, "b": [ { "c": 1, "c": 2 } ], "a": 3 }"#)
    #expect(json?["a"]?.integer == 1)
    #expect(found.all.map(\.path.description) == ["$.b[0].c", "$.a"])
    #expect(found.all.map(\.problem) == [.duplicateKey("c"), .duplicateKey("a")])
    #expect(found.all.last?.location?.description == "a.json:1:40")
  }

  /// The line and the path of each error are found by a search; without a limit, that takes minutes
  /// for a document of this size.
  @Test func onlyTheFirstErrorsOfADocumentAreReported() throws {
    let text = "{" + String(repeating: "\"a\":1,\n", count: 200_000) + "\"b\" 1}"
    let found = parse(text).diagnostics
    #expect(found.all.count == Diagnostics.limit)
    #expect(found.isFull)
    #expect(found.all.first?.location?.description == "a.json:200001:5")
    #expect(found.all.last?.problem == .duplicateKey("a"))
    let message = InvalidDocument(diagnostics: found.all).message
    #expect(message.hasSuffix("only the first 100 errors are listed"))
  }

  /// A comparison of each key with each other key would take hours for these objects.
  @Test func largeObjectsAreEqualIfTheirMembersAre() throws {
    let keys = (0..<200_000).map(String.init)
    let object = JSON.Object(keys.map { JSON.Object.Member($0, .null) })
    let other = JSON.Object(keys.reversed().map { JSON.Object.Member($0, .null) })
    #expect(object == other)
    #expect(object != JSON.Object(other.members.dropLast() + [JSON.Object.Member("x", .null)]))
    #expect(object != JSON.Object(Array(other.members.dropLast())))
  }

  @Test func syntaxErrorsStateThePathOfTheValue() {
    #expect(
      parse(#"{ "a": [1, { "b c": nul } ] }"#).diagnostics.all.first?.path.description
        == "$.a[1]['b c']")
  }

  @Test func tooDeeplyNestedTextIsRefused() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(parse(nested(JSONParser.depthLimit)).json != nil)
    let problem = parse(nested(JSONParser.depthLimit + 1)).diagnostics.all.first?.problem
    #expect(problem == .syntax(.tooDeep(limit: JSONParser.depthLimit)))
    #expect(parse(String(repeating: "[{\"a\":", count: 100_000)).json == nil)
  }
}
