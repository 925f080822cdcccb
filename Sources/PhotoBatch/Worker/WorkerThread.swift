import Dispatch
import Notation
import PhotoLibrary
import PhotoRecipes
import PhotoRender

/// A thread with its own worker process, which handles one photo after another.
///
/// A request blocks its thread until the worker answers. Swift's own thread pool has only one
/// thread per core and must not be blocked, and a concurrent dispatch queue on Linux does not add
/// threads for blocked ones. Therefore each worker thread has a serial queue.
struct WorkerThread: Sendable {
  let worker: WorkerProcess
  private let queue = DispatchQueue(label: "phbatch.thread")

  init(executable: String, needsFonts: Bool = false, admission: Admission? = nil) {
    worker = WorkerProcess(
      executable: executable, needsFonts: needsFonts, admission: admission,
      filmProgram: FilmProgram.path(besides: executable))
  }

  /// Runs `body` in this thread's queue, and blocks the calling thread until `body` returns; must
  /// not be called on a thread of Swift's own thread pool.
  func runNow<Result>(_ body: () throws -> Result) rethrows -> Result {
    try queue.sync(execute: body)
  }

  func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}

extension WorkerThread {
  /// Creates the only thread of a command that renders nothing; its worker has the same limits as
  /// the workers of a run.
  init(alone options: BatchOptions, needsFonts: Bool) {
    self.init(
      executable: options.workerExecutable, needsFonts: needsFonts, admission: Admission(options))
  }

  /// Sends requests with these files to the worker, one after another; each may take up to `time`.
  func askAll(
    _ requests: [WorkerRequest], _ files: [OpenFile], time: Duration = .seconds(120)
  ) async -> [Result<WorkerReply, any Error>] {
    await run {
      requests.map { request in
        Result {
          do throws(WorkerProcess.Failure) {
            return try OpenFile.withDescriptors(of: files) {
              descriptors throws(WorkerProcess.Failure) in
              try worker.ask(request, descriptors: descriptors, time: time)
            }
          } catch { throw UnreadablePhoto(error) }
        }
      }
    }
  }
}

/// The error that ends a command because a worker could not read a photo that the command needs.
struct UnreadablePhoto: CommandError {
  let message: String
  let hint: String
  let code: ExitCode

  init(_ failure: WorkerProcess.Failure) {
    code = PhotoFailure(failure).code ?? .assetFailed
    switch failure {
    case .refused(_, let message, let hint): (self.message, self.hint) = (message, hint)
    case .crashed(let end):
      (message, hint) = ("the decoder crashed: \(end)", "do not trust the file")
    case .outOfMemory(let how): (message, hint) = (how, "do not trust the file")
    case .timedOut:
      (message, hint) = ("the decoder did not finish in time", "do not trust the file")
    case .stopped: (message, hint) = ("stopped", "run again")
    case .neverBegan(let end): (message, hint) = ("a worker did not start: \(end)", "")
    case .cannotStart(let errno): (message, hint) = ("no worker can be started: \(errno)", "")
    case .isNoWorker, .noScratch, .unwritable:
      let known = PhotoFailure(failure)
      (message, hint) = (known.detail ?? "", known.hint ?? "")
    }
  }
}
