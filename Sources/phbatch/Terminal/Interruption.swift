import Glibc
import PhotoBatch
import Synchronization

/// Cancels a task when the process receives SIGINT or SIGTERM.
///
/// A commit of files that has already begun is completed first. A second signal ends the process at
/// once.
final class Interruption: Sendable {
  private let received = Mutex<Int32?>(nil)

  /// Runs `body`, and cancels it when a signal arrives.
  ///
  /// - Throws: The errors of `body`; the exit code for the signal if `body` was cancelled.
  static func handling<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let interruption = Interruption()
    let task = Task { try await body() }
    let listener = try SignalListener([SIGINT, SIGTERM]) { number in
      let isFirst = interruption.received.withLock { received in
        defer { received = received ?? number }
        return received == nil
      }
      if !isFirst { _exit(128 + number) }
      Message.say("stopping after the current photos are published")
      task.cancel()
    }
    defer { listener.end() }
    do { return try await task.value } catch is CancellationError {
      let isTerminated = interruption.received.withLock { $0 } == SIGTERM
      throw isTerminated ? ExitCode.terminated : ExitCode.interrupted
    }
  }
}
