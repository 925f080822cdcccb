import Foundation
import PhotoRecipes
import TestSupport
import Testing

/// Each filter has one file in `Sources/PhotoRecipes/Filters`, and one file of tests in the same
/// subfolder here, with the filter's name.
@Suite struct FilterFileTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/PhotoRecipes/Filters").standardizedFileURL

  /// The Swift files in the subfolders, such as `Tone/Gamma`.
  private static func files(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && $0.contains("/") }.map { String($0.dropLast(6)) }
  }

  private static func file<F: Filter>(of type: F.Type) throws -> String? {
    try files(in: sources).first { $0.hasSuffix("/\(type)") }
  }

  @Test(arguments: Catalog.filters.map { $0.name })
  func everyFilterHasAFileOfTests(_ name: String) throws {
    let type = try #require(Catalog.filter(named: name))
    let file = try #require(try Self.file(of: type), "no file is named after \(type)")
    let tests = try String(
      contentsOf: Self.tests.appending(path: "\(file)Tests.swift"), encoding: .utf8)
    #expect(tests.contains("@Suite struct \(type)Tests {") && tests.contains("@Test"))
    // If the table of expected values (`PointOracle`) has rows for the filter, the filter's test
    // file checks these rows.
    let hasRows = try PointOracle.table.get().cases.contains { $0.name == type.name }
    #expect(tests.contains("PointOracle.cases(of: \(type).self)") == hasRows)
  }

  @Test func everyFileOfFilterTestsBelongsToAFilter() throws {
    let wanted = try Set(Catalog.filters.compactMap { try Self.file(of: $0).map { $0 + "Tests" } })
    #expect(try Set(Self.files(in: Self.tests)) == wanted)
  }
}
