import Glibc

/// A thread that runs one closure.
///
/// Calls of libvips block, and Swift's own threads must not be blocked.
struct Thread: ~Copyable {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private var handle = pthread_t()

  init(_ body: @escaping @Sendable () -> Void) {
    pthread_create(
      &handle, nil,
      { work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
      }, Unmanaged.passRetained(Work(body)).toOpaque())
  }

  consuming func join() { pthread_join(handle, nil) }
}
