import Dispatch
import PhotoBatch
import SystemCalls

/// A worker is this same program: it must take its own way before anything else, and before there
/// is a second thread.
@main
enum Entry {
  /// How many workers wait when a command begins that renders: one photo needs one, and a run that
  /// finds nothing to do is not to pay for more than two.
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

  /// A watch lives for years: what the first look at a large library took must not stay with it.
  private static func giveFreedMemoryBack() {
    _ = phbatch_limit_arenas(2)
    _ = phbatch_map_blocks_from(256 << 10)
  }
}
