import Foundation
import Notation
import Testing

@testable import PhotoRecipes

/// Compares the colours that lookup tables give in phbatch with the results of other programs for
/// the same tables.
///
/// See `Tests/Oracles/lookup-tables.py`.
@Suite struct LookupOracleTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Oracles").standardizedFileURL

  private static func program(_ name: String) throws -> PointProgram {
    let bytes = try [UInt8](Data(contentsOf: folder.appending(path: name)))
    return PointProgram(try CubeFile(SourceText(name: name, bytes: bytes)).table.instructions)
  }

  @Test(arguments: ["colour-science", "ffmpeg"]) func lookupTablesGiveTheColoursOfOtherPrograms(
    _ oracle: String
  ) throws {
    let text = try String(
      contentsOf: Self.folder.appending(path: "lookup.txt"), encoding: .utf8)
    var programs: [String: PointProgram] = [:]
    var compared = 0
    for line in text.split(separator: "\n") where line.hasPrefix(oracle) {
      let words = line.split(separator: " ").map(String.init)
      let name = words[1]
      let program = try programs[name] ?? Self.program(name)
      programs[name] = program
      let numbers = words.dropFirst(2).compactMap { Double($0) }
      try #require(numbers.count == 6)
      let result = try #require(program(.init(numbers[0], numbers[1], numbers[2])))
      for c in 0..<3 { #expect(abs(result[c] - numbers[3 + c]) < 4e-6, "\(line): \(result)") }
      compared += 1
    }
    #expect(compared >= 86)
  }
}
