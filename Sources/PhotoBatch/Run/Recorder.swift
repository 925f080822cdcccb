import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// Passes events on, one at a time, and adds them up.
final class Recorder: Sendable {
  private let state: Mutex<RunSummary>
  private let found = Mutex<[FilePath: [FolderRecord.Photo]]>([:])
  private let observe: @Sendable (RunEvent) -> Void

  /// Begins; `photos` are those to tell of, `settled` those that are only counted.
  init(
    _ contents: LibraryContents, photos: Int? = nil, settled: [Reason: Int] = [:],
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) {
    var summary = RunSummary()
    summary.add(settled)
    for problem in contents.problems {
      summary.problems.append(problem.message)
      summary.systemCode = .noPermission
    }
    state = Mutex(summary)
    self.observe = observe
    observe(.began(photos: photos ?? contents.assets.count))
    for problem in contents.problems { observe(.warning("\(problem)")) }
  }

  func noteUnfinishedCommit() {
    state.withLock { $0.hasUnfinishedCommit = true }
    record(.warning("an earlier run was cut off in a commit, which the next run completes"))
  }

  /// What was told of photos that holds for later runs, by folder.
  var lasting: [FilePath: [FolderRecord.Photo]] { found.withLock { $0 } }

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
