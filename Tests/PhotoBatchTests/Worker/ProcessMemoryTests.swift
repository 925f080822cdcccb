import Glibc
import Testing

@testable import PhotoBatch

@Suite struct ProcessMemoryTests {
  /// The check that reads less agrees with the size itself.
  @Test func theSizeIsComparedWithLimits() throws {
    let size = try #require(ProcessMemory.proportionalSize(of: getpid()))
    #expect(ProcessMemory.proportionalSize(of: getpid(), isAbove: size / 2))
    #expect(!ProcessMemory.proportionalSize(of: getpid(), isAbove: 1 << 50))
    #expect(!ProcessMemory.proportionalSize(of: 0, isAbove: 1))
  }
}
