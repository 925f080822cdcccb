import Glibc
import PhotoBatch
import PhotoLibrary
import Synchronization
import SystemPackage

/// Asks a person on a terminal before edits are lost, and names them.
enum Consent {
  /// Whether a run with these options asks before it begins.
  static func isAskedFor(by options: BatchOptions) -> Bool {
    (options.previous == .replace || options.onForeign == .replace) && !options.mayDiscard
      && isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0
  }

  /// Whether the run may go on: nothing would be lost, nobody can be asked, or the answer was yes.
  ///
  /// Where nobody can be asked, the run itself leaves such photos alone.
  static func isGiven(for batch: Batch) async throws -> Bool {
    guard isAskedFor(by: batch.options) else { return true }
    let losses = Mutex<[String]>([])
    _ = try await Interruption.handling {
      try await batch.plan { event in
        guard case .finished(let outcome) = event, outcome.needsConsent else { return }
        losses.withLock { $0.append("\(outcome.path.displayed): \(outcome.detail ?? "")") }
      }
    }
    let lines = losses.withLock { $0.sorted() }
    if lines.isEmpty { return true }
    for line in lines.prefix(20) { Message.say(line) }
    if lines.count > 20 { Message.say("and \(lines.count - 20) photos more") }
    Message.say("drop these edits? [y/N]")
    return ["y", "yes"].contains(readLine()?.lowercased())
  }
}
