import Foundation
import TestRandom
import Testing

@testable import Notation

@Suite struct JSONWriterTests {
  private func json(_ text: String) throws -> JSON {
    try #require(JSONParser.parse(SourceText(name: "a.json", text: text)).json)
  }

  @Test func canonicalTextIsSortedAndIndented() throws {
    let text = #"{"b":[],"a":{"d":1.50,"c":[true,null,{}]},"ä":"\u0001\u007f\n/😀","B":-0}"#
    let expected = #"""
      {
        "B": -0,
        "a": {
          "c": [
            true,
            null,
            {}
          ],
          "d": 1.50
        },
        "b": [],
        "ä": "\u0001\u007f\n/😀"
      }

      """#
    #expect(try json(text).canonicalText == expected)
    #expect(
      try json(text).compactText
        == #"{"B":-0,"a":{"c":[true,null,{}],"d":1.50},"b":[],"ä":"\u0001\u007f\n/😀"}"#)
  }

  /// JSON has no spelling of these numbers.
  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func aNumberThatIsNotFiniteIsWrittenAsNull(_ number: Double) {
    #expect(JSON.array([.number(number), .number(-2.5)]).compactText == "[null,-2.5]")
  }

  @Test func theOrderOfKeysDoesNotChangeTheCanonicalText() throws {
    let (a, b) = try (json(#"{"x":1,"y":[{"z":2,"w":3}]}"#), json(#"{"y":[{"w":3,"z":2}],"x":1}"#))
    #expect(a == b)
    #expect(a.hashValue == b.hashValue)
    #expect(try a != json(#"{"x":1,"y":[{"z":2,"w":4}]}"#))
    #expect(try a != json(#"{"x":1}"#))
    #expect(try json(#"{"x":1}"#) != a)
    #expect(try json("[1,2]") != json("[2,1]"))
  }

  @Test func canonicalTextIsReadUnchanged() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<2000 {
      let value = JSON.random(depth: 4, &generator)
      let text = value.canonicalText
      #expect(try json(text) == value)
      #expect(try json(text).canonicalText == text)
      #expect(try json(value.compactText) == value)
    }
  }

  @Test(.enabled(if: Jq.isHere, "jq is not installed"))
  func canonicalTextEqualsTheOutputOfJq() throws {
    var generator = SeededGenerator(seed: 3)
    let values = (0..<200).map { _ in JSON.random(depth: 4, &generator, plainNumbers: true) }
    let compact = values.map(\.compactText).joined(separator: "\n")
    let expected = values.map(\.canonicalText).joined()
    #expect(try Jq.sorted(compact) == expected)
  }

  @Test(arguments: [
    (0.1, "0.1"), (1.0, "1"), (-0.0, "0"), (1e21, "1e+21"), (1e-7, "1e-07"), (1600.5, "1600.5"),
  ])
  func numbersAreWrittenInTheirShortestForm(_ number: Double, _ text: String) {
    #expect(JSON.number(number).compactText == text)
    #expect(JSON.number(number).number == number)
  }
}

extension JSON {
  /// A random value; with `plainNumbers`, only numbers that every program spells in the same way.
  fileprivate static func random(
    depth: Int, _ generator: inout SeededGenerator, plainNumbers: Bool = false
  ) -> JSON {
    func text() -> String {
      let scalars = ["a", "Z", "\"", "\\", "/", "\n", "\u{1}", "\u{7F}", "é", "😀", "\u{2028}", " "]
      return (0..<Int.random(in: 0...4, using: &generator))
        .map { _ in scalars.randomElement(using: &generator) ?? "" }.joined()
    }
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &generator) {
    case 0: return [.null, .bool(true), .bool(false)].randomElement(using: &generator) ?? .null
    case 1: return .string(text())
    case 2: return .integer(Int.random(in: -99999...99999, using: &generator))
    case 3:
      if plainNumbers { return .number(Double(Int.random(in: 0...999, using: &generator)) + 0.5) }
      return .number(Double(bitPattern: generator.next() & 0xBFEF_FFFF_FFFF_FFFF))
    case 4:
      let count = Int.random(in: 0...3, using: &generator)
      return .array(
        (0..<count).map { _ in random(depth: depth - 1, &generator, plainNumbers: plainNumbers) })
    default:
      var object = Object()
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        object[text()] = random(depth: depth - 1, &generator, plainNumbers: plainNumbers)
      }
      return .object(object)
    }
  }
}

/// The program jq as a reference for canonical text.
private enum Jq {
  static let path = "/usr/bin/jq"

  static var isHere: Bool { FileManager.default.isExecutableFile(atPath: path) }

  static func sorted(_ text: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["-S", "--indent", "2", ".", file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
