import Synchronization
import Vips

/// Sets libvips's number of threads, which is a global setting of the process.
///
/// Only one test at a time may change it, because a kernel reserves rows for the number of threads
/// at its creation.
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
