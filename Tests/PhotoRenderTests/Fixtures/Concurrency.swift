import Synchronization
import Vips

/// Sets libvips's number of threads, which is one number for the process.
///
/// Tests that change it take turns: when kernels are made, they reserve rows for the threads that
/// there are.
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
