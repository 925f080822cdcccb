import Notation
import PhotoBatch
import Synchronization

/// The prediction of a run of the saved recipe.
extension Studio {
  /// The numbers of photos that a run would render, that need a person, and that cannot be
  /// rendered; and the folders and files that cannot be read.
  ///
  /// All pages receive the progress. A later check, or `stop`, ends this one; the answer is then
  /// `stopped`.
  func check() throws -> JSON {
    let batch = try savedBatch()
    checking.replace(batch)
    defer { checking.end(batch) }
    let tally = Mutex(CheckTally())
    let (states, changes, total) = (states, states.changes, session.library.count)
    var unread = ListedProblems(of: "place")
    do {
      let summary = try waiting {
        try await batch.plan { event in
          guard case .finished(let outcome) = event else { return }
          states.check(outcome, after: changes)
          let done = tally.withLock { $0.count(outcome) }
          if let done {
            self.tell(
              .object(["check": .object(["done": .integer(done), "total": .integer(total)])]))
          }
        }
      }
      for problem in summary.problems { unread.add(problem) }
    } catch is CancellationError {
      return .object(["stopped": .bool(true)])
    }
    let found = tally.withLock { $0 }
    return .object([
      "due": .integer(found.due), "blocked": .integer(found.blocked),
      "failed": .integer(found.failed), "unread": .integer(unread.count),
      "problems": .array(unread.lines.map(JSON.string)),
    ])
  }
}

/// The counts of a check.
private struct CheckTally {
  private static let interval = Duration.milliseconds(250)

  private(set) var (due, blocked, failed) = (0, 0, 0)
  private var done = 0
  private var told = ContinuousClock.now

  /// Counts a photo; returns the number of photos so far if it is time to tell it.
  mutating func count(_ outcome: AssetOutcome) -> Int? {
    done += 1
    if outcome.isDue { due += 1 }
    if outcome.reason.outcome == .needsPerson { blocked += 1 }
    if outcome.reason.outcome == .failed { failed += 1 }
    if told.duration(to: .now) < Self.interval { return nil }
    told = .now
    return done
  }
}
