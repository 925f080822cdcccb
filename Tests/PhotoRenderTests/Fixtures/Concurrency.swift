import Synchronization
import Vips

/// How many threads libvips computes with is one number for the process: tests that change it take
/// turns, for kernels keep as many rows as the threads need that there are when they are made.
enum Concurrency {
  private static let turn = Mutex(())

  static func using<Result>(
    _ threads: Int, _ render: () throws -> Result
  ) throws -> Result {
    try turn.withLock { _ in
      VipsRuntime.setConcurrency(threads)
      defer { VipsRuntime.setConcurrency(1) }
      return try render()
    }
  }
}
