import Notation
import PhotoLibrary
import PhotoRecipes
import Synchronization
import SystemPackage

/// Forwards the events of a run one at a time, and adds them up to the run's summary.
final class Recorder: Sendable {
  private let state: Mutex<RunSummary>
  private let found = Mutex<[FilePath: [FolderRecord.Photo]]>([:])
  /// The renditions without a record; true for those that a photo of this run has taken over.
  private let orphans = Mutex<[FilePath: Bool]>([:])
  private let observe: @Sendable (RunEvent) -> Void

  /// Begins a run; `photos` is the number of photos to report, `counted` the numbers of photos that
  /// are only counted, by reason.
  init(
    _ contents: LibraryContents, photos: Int? = nil, counted: [Reason: Int] = [:],
    _ observe: @escaping @Sendable (RunEvent) -> Void
  ) {
    var summary = RunSummary()
    summary.add(counted)
    state = Mutex(summary)
    self.observe = observe
    observe(.began(photos: photos ?? contents.assets.count))
    add(contents.problems)
  }

  /// Adds the errors of folders that could not be read.
  func add(_ problems: [ScanError]) {
    for problem in problems {
      state.withLock { summary in
        summary.problems.append(problem.message)
        summary.systemCode = .noPermission
      }
      record(.warning("\(problem)"))
    }
  }

  func noteUnfinishedCommit(_ text: String) {
    state.withLock { $0.hasUnfinishedCommit = true }
    record(.warning(text))
  }

  /// Adds renditions without a record that photos of this run may take over.
  func add(orphans paths: [FilePath]) {
    orphans.withLock { orphans in for path in paths { orphans[path] = false } }
  }

  /// True if a photo of this run has recorded the file, which had no record before.
  func hasTaken(_ path: FilePath) -> Bool { orphans.withLock { $0[path] ?? false } }

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
    if case .finished(let outcome) = event, !outcome.renditions.isEmpty {
      orphans.withLock { orphans in
        for path in outcome.renditions.map(\.path) where orphans[path] != nil {
          orphans[path] = true
        }
      }
    }
    state.withLock { summary in
      if case .finished(let outcome) = event { summary.add(outcome) }
      observe(event)
    }
  }
}
