import Glibc
import PhotoRecipes
import PhotoRender
import Synchronization

/// The worker threads of a command.
///
/// Each photo is assigned to the first free thread.
final class WorkerPool: Sendable {
  let threads: [WorkerThread]
  private let admission: Admission
  private let state = Mutex(false)

  /// Creates the pool.
  ///
  /// With `needsFonts`, workers may read the fonts of the system from the start.
  init(_ options: BatchOptions, needsFonts: Bool = false) {
    let admission = Admission(options)
    self.admission = admission
    ForkedWorkers.keep(admission.workers)
    threads = (0..<admission.workers).map { _ in
      WorkerThread(
        executable: options.workerExecutable, needsFonts: needsFonts, admission: admission)
    }
  }

  var isStopped: Bool { state.withLock { $0 } }

  /// The latest deadline of all running requests; nil if none is running.
  var deadline: ContinuousClock.Instant? { threads.compactMap(\.worker.deadline).max() }

  /// Kills all workers immediately.
  func stop() {
    state.withLock { $0 = true }
    admission.stop()
    for thread in threads { thread.worker.stop() }
  }

  /// Reserves the coordinator's memory for decisions about this many photos.
  func makeRoom(photos: Int) {
    let bytes = ProcessMemory.proportionalSize(of: getpid()) ?? 0
    admission.makeRoom(coordinator: bytes, photos: photos)
  }

  /// Calls `body` for each element, and returns when all are done or the pool is stopped.
  ///
  /// `body` runs on a worker thread, with the thread's worker. Cancelling the task stops the pool.
  /// After `end`, no more elements begin. While `isWanted` is true because other commands wait,
  /// only the first element begins, so that every command makes progress. Returns true if all
  /// elements were begun.
  @discardableResult
  func run<Element: Sendable>(
    _ elements: [Element], until end: ContinuousClock.Instant? = nil,
    givingWay isWanted: @escaping @Sendable () -> Bool = { false },
    _ body: @escaping @Sendable (Element, WorkerProcess) -> Void
  ) async -> Bool {
    let queue = Queue(elements)
    await withTaskCancellationHandler {
      await withTaskGroup { group in
        for thread in threads.prefix(max(1, elements.count)) {
          group.addTask {
            // The thread is called once for all photos, because switching to it takes longer than
            // handling most photos.
            await thread.run {
              while !self.isStopped, end.map({ .now < $0 }) ?? true,
                queue.isUntouched || !isWanted(), let element = queue.next()
              {
                body(element, thread.worker)
              }
            }
          }
        }
      }
    } onCancel: {
      stop()
    }
    return queue.isEmpty
  }

  /// Ends idle workers; new workers start with the next photo.
  func rest() async {
    for thread in threads { await thread.run { thread.worker.rest() } }
  }

  /// Starts a worker, and throws `SandboxMissing` if its sandbox is not complete.
  func checkSandbox() async throws {
    guard let thread = threads.first else { return }
    let sandbox = await thread.run {
      Result { () throws(WorkerProcess.Failure) in try thread.worker.sandbox() }
    }
    guard case .success(let sandbox) = sandbox, sandbox.isWhole else {
      throw SandboxMissing((try? sandbox.get()) ?? Sandbox())
    }
  }
}

/// The elements that no worker thread has begun yet; all worker threads share this queue.
private final class Queue<Element: Sendable>: Sendable {
  private let elements: [Element]
  private let done = Atomic(0)

  init(_ elements: [Element]) { self.elements = elements }

  var isUntouched: Bool { done.load(ordering: .relaxed) == 0 }
  var isEmpty: Bool { done.load(ordering: .relaxed) >= elements.count }

  func next() -> Element? {
    let index = done.add(1, ordering: .relaxed).oldValue
    return index < elements.count ? elements[index] : nil
  }
}
