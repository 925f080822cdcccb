import PhotoLibrary
import Synchronization
public import SystemPackage
import Vips

/// Applies a recipe to a library, and to each photo that arrives or changes later.
///
/// Events from the kernel only determine which folders are scanned; the files found there determine
/// the work. Each round over stable photos is a separate run with its own lock. Other commands can
/// thus run in between, and the results equal the results of the `run` command.
public final class Watch: Sendable {
  let recipe: FilePath
  let library: FilePath
  let options: WatchOptions
  let waker: Waker

  struct Orders {
    var isStopped = false
    var reloads = false
    /// The worker pool that checks a recipe at the moment; nil if no check is running.
    ///
    /// The check blocks the thread of the watch, so cancelling the watch stops the pool.
    fileprivate var checking: WorkerPool?
  }

  private let orders = Mutex(Orders())

  /// Prepares a watch; the recipe and the library are not read yet.
  public init(
    recipe: FilePath, library: FilePath, options: WatchOptions = WatchOptions()
  ) throws {
    self.recipe = recipe
    self.library = library
    self.options = options
    waker = try Waker()
  }

  /// Watches the library until the task is cancelled.
  ///
  /// A commit of files that has already begun is completed first.
  ///
  /// - Parameter observe: Receives the events, on any thread, one call at a time.
  /// - Throws: The errors of the recipe or the library at the start; `CancellationError` at the
  ///   end.
  public func run(_ observe: @escaping @Sendable (WatchEvent) -> Void) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // The watch blocks its thread for its whole duration, so it must not use a thread of
        // Swift's cooperative pool.
        BlockingThread.start {
          continuation.resume(with: Result { try WatchLoop(self, observe).run() })
        }
      }
    } onCancel: {
      order {
        $0.isStopped = true
        $0.checking?.stop()
      }
    }
  }

  /// Reads the recipe again and scans all folders.
  public func reload() { order { $0.reloads = true } }

  private func order(_ change: (inout Orders) -> Void) {
    orders.withLock { change(&$0) }
    waker.wake()
  }

  /// Runs `body`, which checks a recipe with a worker pool.
  ///
  /// If the watch is stopped, the pool is stopped too.
  func checking<Result>(with pool: WorkerPool, _ body: () throws -> Result) rethrows -> Result {
    orders.withLock { orders in
      orders.checking = pool
      if orders.isStopped { pool.stop() }
    }
    defer { orders.withLock { $0.checking = nil } }
    return try body()
  }

  /// Returns the requests to stop or reload, and clears all but the request to stop.
  func takeOrders() -> Orders {
    orders.withLock { orders in
      defer { orders.reloads = false }
      return orders
    }
  }
}
