import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// Forwards the events of a run one at a time, and adds them up to the run's summary.
final class Recorder: Sendable {
  private let state: Mutex<RunSummary>
  private let found = Mutex<[FilePath: [FolderRecord.Photo]]>([:])
  private let observe: @Sendable (RunEvent) -> Void

  /// Begins a run; `photos` is the number of photos to report, `counted` the numbers of photos that
  /// are only counted, by reason.
  init(
    _ contents: LibraryContents, photos: Int? = nil, counted: [Reason: Int] = [:],
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) {
    var summary = RunSummary()
    summary.add(counted)
    for problem in contents.problems {
      summary.problems.append(problem.message)
      summary.systemCode = .noPermission
    }
    state = Mutex(summary)
    self.observe = observe
    observe(.began(photos: photos ?? contents.assets.count))
    for problem in contents.problems { observe(.warning("\(problem)")) }
  }

  func noteUnfinishedCommit(_ text: String) {
    state.withLock { $0.hasUnfinishedCommit = true }
    record(.warning(text))
  }

  /// Returns the outcomes that the index keeps for later runs, by folder, and forgets them.
  func takeLasting() -> [FilePath: [FolderRecord.Photo]] {
    found.withLock { found in
      defer { found = [:] }
      return found
    }
  }

  var summary: RunSummary { state.withLock { $0 } }

  func record(_ event: RunEvent) {
    if case .finished(let outcome) = event, let photo = outcome.record {
      found.withLock { $0[outcome.path.removingLastComponent(), default: []].append(photo) }
    }
    state.withLock { summary in
      if case .finished(let outcome) = event { summary.add(outcome) }
      observe(event)
    }
  }
}
