import Dispatch
import PhotoBatch
import SystemCalls

/// Starts the program.
///
/// A worker is started from the same executable. It must become a worker before anything else runs,
/// and before there is a second thread.
@main
enum Entry {
  /// The number of workers that are forked at the start of a command.
  ///
  /// One photo needs one worker, and a run without work should not start more than two.
  private static let ready = ["preview": 1, "explain": 1, "run": 2]

  static func main() {
    phbatch_fill_standard_descriptors()
    Worker.runIfAsked()
    let command = CommandLine.arguments.dropFirst().first
    if let command, let count = ready[command] { Worker.makeReady(count) }
    giveFreedMemoryBack()
    Task { await Phbatch.start() }
    dispatchMain()
  }

  /// Makes the allocator return free memory to the system, because a watch runs for years and its
  /// first scan of a large library uses much memory.
  private static func giveFreedMemoryBack() {
    _ = phbatch_limit_arenas(2)
    _ = phbatch_map_blocks_from(256 << 10)
  }
}
