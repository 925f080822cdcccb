import Testing

@testable import PhotoBatch

@Suite struct SourceDateTests {
  /// The third time does not fit into 64 bits in nanoseconds.
  @Test(arguments: [
    ("0", "1970-01-01T00:00:00Z"), ("1700000000", "2023-11-14T22:13:20Z"),
    ("9223372037", "2262-04-11T23:47:17Z"), ("253402300799", "9999-12-31T23:59:59Z"),
  ])
  func aTimeUpToTheYear9999IsWritten(_ value: String, _ text: String) throws {
    let seconds = try #require(try SourceDate.seconds(in: ["SOURCE_DATE_EPOCH": value]))
    #expect(SourceDate.text(seconds) == text)
  }

  @Test(arguments: ["253402300800", "1700000000000", "9223372036854775808", "-1", "1.5", "abc", ""])
  func otherValuesAreRefused(_ value: String) {
    let error = #expect(throws: InvalidSourceDate.self) {
      try SourceDate.seconds(in: ["SOURCE_DATE_EPOCH": value])
    }
    #expect(error?.code == .usage)
  }

  @Test func withoutTheVariableTheClockIsUsed() throws {
    #expect(try SourceDate.seconds(in: [:]) == nil)
  }
}
