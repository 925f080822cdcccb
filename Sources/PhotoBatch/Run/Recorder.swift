import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// Forwards the events of a run one at a time, and adds them up to the run's summary.
final class Recorder: Sendable {
  private struct State {
    var summary = RunSummary()
    /// True if a photo that the run planned failed or needs a user's decision, or if a folder could
    /// not be read.
    var hasFlaw = false
  }

  private let state: Mutex<State>
  private let found = Mutex<[FilePath: [FolderRecord.Photo]]>([:])
  private let observe: @Sendable (RunEvent) -> Void

  /// Begins a run; `photos` is the number of photos to report, `counted` the numbers of photos that
  /// are only counted, by reason.
  init(
    _ contents: LibraryContents, photos: Int? = nil, counted: [Reason: Int] = [:],
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) {
    var start = State()
    start.summary.add(counted)
    for problem in contents.problems {
      start.summary.problems.append(problem.message)
      start.summary.systemCode = .noPermission
    }
    start.hasFlaw = !start.summary.isFlawless
    state = Mutex(start)
    self.observe = observe
    observe(.began(photos: photos ?? contents.assets.count))
    for problem in contents.problems { observe(.warning("\(problem)")) }
  }

  func noteUnfinishedCommit() {
    state.withLock { $0.summary.hasUnfinishedCommit = true }
    record(.warning("an earlier run was interrupted during a commit; the next run completes it"))
  }

  /// Returns the outcomes that the index keeps for later runs, by folder, and forgets them.
  func takeLasting() -> [FilePath: [FolderRecord.Photo]] {
    found.withLock { found in
      defer { found = [:] }
      return found
    }
  }

  var summary: RunSummary { state.withLock { $0.summary } }
  var hasFlaw: Bool { state.withLock { $0.hasFlaw } }

  /// Records an event; `isLeft` is true for the outcome of a photo that the run does not plan.
  func record(_ event: RunEvent, isLeft: Bool = false) {
    if case .finished(let outcome) = event, let photo = outcome.record {
      found.withLock { $0[outcome.path.removingLastComponent(), default: []].append(photo) }
    }
    state.withLock { state in
      if case .finished(let outcome) = event {
        state.summary.add(outcome)
        let isFine = outcome.systemCode == nil && (outcome.isDue || outcome.reason.outcome == .fine)
        state.hasFlaw = state.hasFlaw || !isLeft && !isFine
      }
      observe(event)
    }
  }
}
