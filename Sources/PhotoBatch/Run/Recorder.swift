import PhotoLibrary
import PhotoRecipes
import Synchronization

/// Passes events on, one at a time, and adds them up.
final class Recorder: Sendable {
  private let state: Mutex<RunSummary>
  private let observe: @Sendable (RunEvent) -> Void

  init(_ contents: LibraryContents, _ observe: @escaping @Sendable (RunEvent) -> Void) {
    var summary = RunSummary()
    for problem in contents.problems {
      summary.problems.append(problem.message)
      summary.systemCode = .noPermission
    }
    state = Mutex(summary)
    self.observe = observe
    observe(.began(photos: contents.assets.count))
    for problem in contents.problems { observe(.warning("\(problem)")) }
  }

  func noteUnfinishedCommit() {
    state.withLock { $0.hasUnfinishedCommit = true }
    record(.warning("an earlier run was cut off in a commit, which the next run completes"))
  }

  var summary: RunSummary { state.withLock { $0 } }

  func record(_ event: RunEvent) {
    state.withLock { summary in
      if case .finished(let outcome) = event { summary.add(outcome) }
      observe(event)
    }
  }
}
