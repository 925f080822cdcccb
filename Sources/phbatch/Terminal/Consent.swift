import Glibc
import PhotoBatch
import PhotoLibrary
import Synchronization
import SystemPackage

/// Lists the edits that a run would remove, and asks the user on a terminal whether the run may
/// remove them.
enum Consent {
  /// True if a run with these options could remove edits without permission, and there is a
  /// terminal to ask on.
  static func isAskedFor(by options: BatchOptions) -> Bool {
    (options.previous == .replace || options.onForeign == .replace) && !options.mayDiscard
      && isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0
  }

  /// True if the run may begin: it would remove no edit, there is no terminal, or the user answered
  /// yes.
  ///
  /// Without a terminal, the run itself leaves out photos whose edits it would remove.
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
    let rest = lines.count - 20
    if rest > 0 { Message.say(rest == 1 ? "and 1 more photo" : "and \(rest) more photos") }
    Message.say("remove these edits? [y/N]")
    return ["y", "yes"].contains(readLine()?.lowercased())
  }
}
