import Dispatch

/// A thread with a worker of its own: what is done to one photo is done on it, one after the other.
///
/// A request blocks until the worker answers. Swift's own pool, one thread a core, must not be
/// blocked, and a concurrent queue does not grow on Linux either: each lane has a serial queue.
struct Lane: Sendable {
  let worker: WorkerProcess
  private let queue = DispatchQueue(label: "phbatch.lane")

  init(executable: String, needsFonts: Bool = false, admission: Admission? = nil) {
    worker = WorkerProcess(
      executable: executable, needsFonts: needsFonts, admission: admission)
  }

  /// Does it while the calling thread waits: not for Swift's own.
  func runNow<Result>(_ body: () throws -> Result) rethrows -> Result {
    try queue.sync(execute: body)
  }

  func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}
