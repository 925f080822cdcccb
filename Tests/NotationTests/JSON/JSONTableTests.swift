import TestRandom
import Testing

@testable import Notation

/// `JSONTable` gives the same values as `JSONParser`, and accepts the same texts.
@Suite struct JSONTableTests {
  private static func expectAlike(_ bytes: [UInt8]) {
    let source = SourceText(name: "a.json", bytes: bytes)
    let (json, found) = JSONParser.parse(source, keepingLargeNumbers: true)
    let table = JSONTable(source)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect((table != nil) == (json != nil && found.isEmpty), "\(text)")
    guard let table, let json else { return }
    #expect(table.root.json == json, "\(text)")
    expectAlike(table.root, Field(json))
  }

  private static func expectAlike(_ node: JSONNode, _ field: Field) {
    #expect(node.path == field.path)
    #expect(node.location == field.json.location)
    #expect(node.string == field.json.string)
    #expect(node.integer == field.json.integer)
    #expect(node.bool == field.json.bool)
    #expect(node.isArray == (field.json.array != nil))
    #expect(node.children.count == (field.json.array ?? field.members.map(\.field.json)).count)
    for (child, element) in zip(node.children, field.elements) { expectAlike(child, element) }
    guard field.json.object != nil else { return }
    for (child, member) in zip(node.children, field.members) {
      #expect(child.key == member.key)
      #expect(child.member.keyLocation == member.keyLocation)
      #expect(node[member.key]?.index == child.index)
      expectAlike(child, member.field)
    }
    #expect(node["none of these"] == nil)
  }

  @Test(arguments: [
    "", " ", "{", "{}", "[]", "[[]]", "null", "nul", "nulll", "truefalse", "true", "[1,]", "[,1]",
    "{\"a\":1,}", "{\"a\"}", "{\"a\":}", "{a:1}", "[1 2]", "{} x", "// a\n{}", "{}#", "\u{FEFF}{}",
    "\u{FEFF}", "\u{FEFF}{\"a\": [1]}", "\u{FEFF}\u{FEFF}{}",
    "0", "-0", "00", "01", "-", "1.", ".5", "+1", "1e", "1e+", "1e5", "1E-5", "1e999", "-1e999",
    "1e-999", "123456789012345", "1234567890123456", "9007199254740993", "1.0", "-7", "1_0", "1a",
    "NaN", "Infinity", #""""#, #""a"#, "\"a\nb\"", "\"a\u{1}\"", #""\u0041\n\t\"\\\/\b\f\r""#,
    #""\x""#, #""\u12G4""#, #""\u12""#, #""\ud83d\ude00""#, #""\ud800""#, #""\ud800\u0041""#,
    #""\udc00""#, #""\u0000""#, "\"\u{7F}é😀\"",
    #"{"":1,"":2}"#, #"{"":1,"a":2}"#, #"{"a":1,"a":2}"#, #"{"b":1,"a":2,"b":3}"#,
    #"{"b":1,"a":2}"#, #"{"a":1,"ab":2,"b":3}"#, #"{"ab":1,"a":2}"#, #"{"\u0061":1,"a":2}"#,
    #"{"a":1,"\u0061":2}"#, "{\"é\":1,\"e\u{301}\":2}", "{\"e\":1,\"e\u{301}\":2}",
    "{\"a\":{\"x\":1,\"x\":2}}", " { \"a\" : [ 1 , { \"b\" : null } ] , \"c\" : false } ",
  ])
  func theTableAcceptsTheSameTextsAsTheParser(_ text: String) { Self.expectAlike(Array(text.utf8)) }

  @Test(arguments: [63, 64, 65, 10_000]) func theTableHasTheDepthLimitOfTheParser(_ depth: Int) {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let inner = open == "[" ? "" : "1"
      Self.expectAlike(
        Array(
          (String(repeating: open, count: depth) + inner + String(repeating: close, count: depth))
            .utf8))
    }
  }

  @Test func invalidUTF8IsRefused() {
    for bad: [UInt8] in [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xC3]] {
      Self.expectAlike([0x22] + bad + [0x22])
    }
  }

  private static let sample = #"""
    {
      "adjustments": [ { "base": "original", "n": [1.50, -0, 1e3], "text": "\u00e9 \"x\"" }, {} ],
      "original": { "bytes": 12, "file": "Übung.jpg", "sha256": "00ff" },
      "phbatch": "1.0", "zz": [true, false, null, [], {"": 1}]
    }
    """#

  /// The table accepts the same texts as the parser after bytes were changed, removed, doubled and
  /// swapped.
  @Test func theTableAcceptsTheSameMutatedTextsAsTheParser() {
    var generator = SeededGenerator(seed: 15)
    for _ in 0..<1_500 {
      var bytes = Array(Self.sample.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) { generator.mutate(&bytes) }
      Self.expectAlike(bytes)
    }
    for count in 0..<Self.sample.utf8.count {
      Self.expectAlike(Array(Self.sample.utf8.prefix(count)))
    }
  }
}
