import TestSupport
import Testing

@testable import Notation

@Suite struct InflateTests {
  @Test(arguments: [0, 1, 100, 65_535, 65_536, 1 << 20])
  func storedBlocksOfAStreamAreRead(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(try Deflated.stored(bytes).inflated(limit: 16 << 20) == bytes)
  }

  @Test func longRunsOfABytesAreDecompressed() throws {
    let bytes = try Deflated.zeros(runs: 5_000).inflated(limit: 16 << 20)
    #expect(bytes.count == 1 + 258 * 5_000)
    #expect(bytes.allSatisfy { $0 == 0 })
  }

  @Test func aStreamLargerThanTheLimitIsRefused() throws {
    let stream = Deflated.zeros(runs: 10)
    #expect(try stream.inflated(limit: 2_581).count == 2_581)
    #expect(throws: InflateError.tooLarge(limit: 2_580)) { try stream.inflated(limit: 2_580) }
  }

  /// A stream that would expand from 1 MiB to 160 MiB is refused at the limit.
  @Test func decompressionBombsAreRefusedAtTheLimit() {
    #expect(throws: InflateError.tooLarge(limit: 16 << 20)) {
      try Deflated.zeros(runs: 640_000).inflated(limit: 16 << 20)
    }
  }

  @Test func everyTruncatedStreamIsReportedAsTruncated() {
    for stream in [Deflated.zeros(runs: 20), Deflated.stored(Array("some text".utf8))] {
      for count in stream.indices {
        #expect(throws: InflateError.truncated) {
          try Array(stream[..<count]).inflated(limit: 1 << 20)
        }
      }
    }
  }

  @Test func aDamagedStreamIsReportedAsDamaged() {
    // The first stream has block type 3, which does not exist; the next one has a stored block
    // whose length does not match its complement.
    #expect(throws: InflateError.damaged) { try [UInt8]([7, 0, 0]).inflated(limit: 100) }
    #expect(throws: InflateError.damaged) {
      try [UInt8]([1, 5, 0, 5, 0, 1, 2, 3, 4, 5]).inflated(limit: 100)
    }
  }
}
