import Testing

@testable import PhotoBatch

/// Warnings that a worker reports about one photo.
@Suite struct WorkerWarningTests {
  @Test func theRestOfManyWarningsIsCounted() {
    let all = ["a", "b\na", "c"]
    #expect(Worker.distinct(all) == ["a", "b", "c"])
    #expect(Worker.distinct(all, atMost: 2) == ["a", "b", "and 1 more warning"])
    #expect(Worker.distinct(all, atMost: 1) == ["a", "and 2 more warnings"])
  }
}
