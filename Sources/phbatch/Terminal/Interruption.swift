import Glibc
import PhotoBatch
import Synchronization

/// Cancels a task when the process receives SIGINT, SIGTERM, or SIGHUP, as when its terminal closes.
///
/// A commit of files that has already begun is completed first. A second signal ends the process at
/// once, but not SIGHUP, which the system and the shell may both send.
final class Interruption: Sendable {
  private let received = Mutex<Int32?>(nil)

  /// The signals that end a command.
  ///
  /// A process that ignores SIGHUP from its start, as `nohup` makes it, still ignores it.
  static let usualSignals = [SIGINT, SIGTERM] + (ignoresHangups ? [] : [SIGHUP])

  private static var ignoresHangups: Bool {
    var action = sigaction()
    unsafe sigaction(SIGHUP, nil, &action)
    let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Runs `body`, and cancels it when a signal arrives.
  ///
  /// - Throws: The errors of `body`; the exit code for the signal if `body` was cancelled.
  static func handling<Result: Sendable>(
    _ signals: [Int32] = usualSignals,
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let interruption = Interruption()
    let task = Task { try await body() }
    let listener = try SignalListener(signals) { number in
      let isFirst = interruption.received.withLock { received in
        defer { received = received ?? number }
        return received == nil
      }
      if !isFirst {
        if number != SIGHUP { _exit(128 + number) }
        return
      }
      Message.say("stopping after the current photos are published")
      task.cancel()
    }
    defer { listener.end() }
    do { return try await task.value } catch is CancellationError {
      let number = interruption.received.withLock { $0 } ?? SIGINT
      throw ExitCode(rawValue: 128 + number) ?? .interrupted
    }
  }
}
