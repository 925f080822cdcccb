import Dispatch

/// The queue on which a command reads a library and publishes files, one task at a time.
///
/// Such work blocks its thread. It must not block the actor that called the command, or a thread of
/// Swift's own pool.
final class LibraryThread: TaskExecutor {
  private let queue = DispatchQueue(label: "phbatch.library")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Calls `body` on a queue of its own, and waits for its result.
  static func run<Result: Sendable>(
    _ body: @escaping @Sendable @concurrent () async throws -> Result
  ) async throws -> Result {
    try await withTaskExecutorPreference(LibraryThread()) { try await body() }
  }
}
