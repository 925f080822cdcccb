import PhotoLibrary
import Synchronization
public import SystemPackage
import Vips

/// Applies a recipe to a library, and to each photo that arrives or changes later.
///
/// Events from the kernel only indicate which folders to scan; the state of the files on disk is
/// decisive. Each group of stable photos is a separate run with its own lock. Other commands can
/// thus run in between, and the results are those that the `run` command would give.
public final class Watch: Sendable {
  let recipe: FilePath
  let library: FilePath
  let options: WatchOptions
  let waker: Waker

  struct Orders {
    var isStopped = false
    var reloads = false
    /// The pool that currently checks a recipe; nil if none does.
    ///
    /// The check blocks the thread of the watch, so `cancel` stops the pool.
    fileprivate var checking: WorkerPool?
  }

  private let orders = Mutex(Orders())

  /// Prepares a watch; nothing is read yet.
  public init(
    recipe: FilePath, library: FilePath, options: WatchOptions = WatchOptions()
  ) throws {
    self.recipe = recipe
    self.library = library
    self.options = options
    waker = try Waker()
  }

  /// Watches until the task is cancelled.
  ///
  /// The group of files that is being published is finished first.
  ///
  /// - Parameter observe: Receives the events, on any thread, one call at a time.
  /// - Throws: The errors of the recipe or the library at the start; `CancellationError`.
  public func run(_ observe: @escaping @Sendable (WatchEvent) -> Void) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // The watch blocks its thread permanently, so it does not use a thread of Swift's own pool.
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

  /// Runs `body`, in which a pool checks a recipe.
  ///
  /// Stopping the watch stops the pool.
  func checking<Result>(with pool: WorkerPool, _ body: () throws -> Result) rethrows -> Result {
    orders.withLock { orders in
      orders.checking = pool
      if orders.isStopped { pool.stop() }
    }
    defer { orders.withLock { $0.checking = nil } }
    return try body()
  }

  /// Returns the requests and clears them, except the request to stop.
  func takeOrders() -> Orders {
    orders.withLock { orders in
      defer { orders.reloads = false }
      return orders
    }
  }
}
