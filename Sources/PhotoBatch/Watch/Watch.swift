import Foundation
import PhotoLibrary
import Synchronization
public import SystemPackage

/// A recipe applied to a library, and to every photo that arrives there or changes.
///
/// What the kernel tells is a hint where to look; what lies on the disk decides. Each group of
/// photos that have settled is a run of its own, with the lock of a run, so that other commands
/// come in between, and that what comes of it is what a run would make.
public final class Watch: Sendable {
  let recipe: FilePath
  let library: FilePath
  let options: WatchOptions
  let waker: Waker

  struct Orders {
    var isStopped = false
    var reloads = false
    /// Looks at a recipe on the thread of the watch, which hears of nothing meanwhile.
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

  /// Watches until the task is cancelled; what is being published then is finished.
  ///
  /// - Parameter observe: Receives the events, on any thread, one call at a time.
  /// - Throws: What is wrong with the recipe or the library at the start; `CancellationError`.
  public func run(_ observe: @escaping @Sendable (WatchEvent) -> Void) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // It looks at folders all day, which must not keep a thread of Swift's from others.
        let thread = Thread {
          continuation.resume(with: Result { try WatchLoop(self, observe).run() })
        }
        thread.name = "phbatch.watch"
        thread.start()
      }
    } onCancel: {
      order {
        $0.isStopped = true
        $0.checking?.stop()
      }
    }
  }

  /// Reads the recipe again and looks at everything.
  public func reload() { order { $0.reloads = true } }

  private func order(_ change: (inout Orders) -> Void) {
    orders.withLock { change(&$0) }
    waker.wake()
  }

  /// Does `body`, in which a pool looks at a recipe until that is done or the watch is told to
  /// stop.
  func checking<Result>(with pool: WorkerPool, _ body: () throws -> Result) rethrows -> Result {
    orders.withLock { orders in
      orders.checking = pool
      if orders.isStopped { pool.stop() }
    }
    defer { orders.withLock { $0.checking = nil } }
    return try body()
  }

  /// What is to be done; it is asked for once, but for the end.
  func takeOrders() -> Orders {
    orders.withLock { orders in
      defer { orders.reloads = false }
      return orders
    }
  }
}
