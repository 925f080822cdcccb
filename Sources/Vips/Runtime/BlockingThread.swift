// CVips is imported because its headers make `pthread_attr_t` visible to the compiler.
import CVips
import Glibc

/// Starts threads for blocking work, because such work would hold up Swift's cooperative thread
/// pool.
public enum BlockingThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a detached thread.
  ///
  /// If the thread cannot be started, the process ends with a message, as it does if memory is
  /// short.
  public static func start(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, &attributes,
      { work in
        guard let work else { return nil }
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
      }, work)
    precondition(failure == 0, "no thread can be started: error \(failure)")
  }
}
