import CVips
import Vips

/// The number of threads with which libvips computes an image, a global setting of the process.
enum Threads {
  /// Runs `body` with `count` threads.
  static func with<Result>(_ count: Int, _ body: () throws -> Result) rethrows -> Result {
    _ = try? VipsRuntime.start()
    let before = vips_concurrency_get()
    vips_concurrency_set(Int32(count))
    defer { vips_concurrency_set(before) }
    return try body()
  }
}
