import Dispatch
import PhotoBatch
import SystemCalls

/// Starts the program as a command, or as a worker of a command.
///
/// Commands and workers use the same executable. In a worker's process, the worker must start
/// before anything else runs, and before there is a second thread.
@main
enum Entry {
  /// The number of workers to fork when a command starts, by the name of the command.
  ///
  /// One photo needs one worker, and a run may have no work, so it starts with at most two.
  private static let ready = [
    "preview": 1, "explain": 1, "plan": 2, "run": 2, "studio": 2,
  ]

  static func main() {
    phbatch_fill_standard_descriptors()
    Worker.runIfAsked()
    let command = CommandLine.arguments.dropFirst().first
    if let command, let count = ready[command] { Worker.makeReady(count) }
    giveFreedMemoryBack()
    Task { await Phbatch.start() }
    dispatchMain()
  }

  /// Makes malloc return freed memory to the system, because a watch runs for years, and its first
  /// scan of a large library uses much memory.
  private static func giveFreedMemoryBack() {
    _ = phbatch_limit_arenas(2)
    _ = phbatch_map_blocks_from(256 << 10)
  }
}
