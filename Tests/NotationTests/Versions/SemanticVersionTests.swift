import Testing

@testable import Notation

@Suite struct SemanticVersionTests {
  /// The order of versions by Semantic Versioning 2.0.0, section 11.
  @Test func versionsAreOrderedAsTheStandardStates() throws {
    let rising = [
      "0.0.1", "0.1.0", "1.0.0-0", "1.0.0-2", "1.0.0-10", "1.0.0-99999999999999999999",
      "1.0.0-100000000000000000000", "1.0.0--5", "1.0.0-A", "1.0.0-alpha", "1.0.0-alpha.1",
      "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0",
      "1.0.1", "1.2.0", "1.10.0", "2.0.0", "2.1.0", "2.1.1",
    ]
    let versions = try rising.map { try #require(SemanticVersion($0)) }
    for (i, a) in versions.enumerated() {
      for (j, b) in versions.enumerated() { #expect((a < b) == (i < j), "\(a) < \(b)") }
    }
    #expect(versions.map(\.description) == rising)
  }

  @Test func buildMetadataDoesNotChangeTheOrderOfVersions() {
    #expect(SemanticVersion("1.0.0+a.b-c.001") == SemanticVersion("1.0.0"))
    #expect(SemanticVersion("1.0.0-a+b") == SemanticVersion("1.0.0-a"))
  }

  @Test(arguments: [
    "", "1", "1.0", "1.0.0.0", "01.0.0", "1.00.0", "-1.0.0", "+1.0.0", "v1.0.0", "1.0.0-",
    "1.0.0-a..b",
    "1.0.0-01", "1.0.0+", "1.0.0+a..b", "1.0.0+é", "1.0.0-é", "1.0.x", " 1.0.0", "1.0.0 ", "1..0",
    "1234567890.0.0", "99999999999999999999.0.0", "1.0.0-a+b+c",
  ])
  func invalidVersionsAreRefused(_ text: String) { #expect(SemanticVersion(text) == nil) }
}
