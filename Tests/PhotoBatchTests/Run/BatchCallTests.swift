import Dispatch
import PhotoBatch
import Synchronization
import TestSupport
import Testing

/// The calls of a batch from a program.
@Suite struct BatchCallTests {
  let place: Library
  let batch: Batch

  init() throws {
    place = try Library(["a.jpg"])
    var options = BatchOptions()
    options.workerExecutable = Command.executable
    batch = try Batch(
      recipe: place.folder["recipe.json"], library: place.folder["photos"], options: options)
  }

  /// A program with a window must not wait for the folders of a large library.
  @Test(arguments: [true, false]) @MainActor
  func aLibraryIsNotReadOnTheActorOfTheCaller(isRun: Bool) async throws {
    let isFree = Mutex(false)
    let observe = { @Sendable (event: RunEvent) in
      // Sent after the library was read, by the thread that read it.
      guard case .began = event else { return }
      let answer = DispatchSemaphore(value: 0)
      Task { @MainActor in answer.signal() }
      let isAnswered = answer.wait(timeout: .now() + 20) == .success
      isFree.withLock { $0 = isAnswered }
    }
    _ = isRun ? try await batch.run(observe) : try await batch.plan(observe)
    #expect(isFree.withLock { $0 })
  }

  @Test func aStoppedBatchThrowsCancellationError() async throws {
    batch.stop()
    await #expect(throws: CancellationError.self) { try await batch.run { _ in } }
    await #expect(throws: CancellationError.self) { try await batch.plan { _ in } }
    await #expect(throws: CancellationError.self) {
      try await batch.preview(edge: 100) { _ in true }
    }
  }

  @Test func aCancelledRunRendersNothing() async throws {
    let run = Task { [batch] in
      while !Task.isCancelled { await Task.yield() }
      return try await batch.run { _ in }
    }
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(try place.folder.files().filter { $0.contains(".web.") }.isEmpty)
  }

  @Test func picturesWithoutPixelsAreRefused() async throws {
    await #expect(throws: InvalidArgument.self) {
      try await batch.preview(edge: 0) { _ in true }
    }
  }
}
