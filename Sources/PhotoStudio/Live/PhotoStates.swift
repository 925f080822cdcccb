import PhotoBatch
import Synchronization
import SystemPackage

/// The states of photos after thumbnails, the last check and the last run, by the paths of the
/// photos.
final class PhotoStates: Sendable {
  /// The state of one photo.
  enum State: String, Sendable {
    /// A run would render the photo.
    case due
    case done
    /// The photo could not be rendered, or the user must decide about it.
    case failed
  }

  private struct Known {
    var states: [String: State] = [:]
    var changes = 0
  }

  private let known = Mutex(Known())

  subscript(path: String) -> State? { known.withLock { $0.states[path] } }

  /// The number of times that the states were forgotten.
  ///
  /// A check or a run that began before the last time has outcomes of an older edit.
  var changes: Int { known.withLock { $0.changes } }

  /// Records the result of a check; a failure of the last run stays as long as the photo is due.
  func check(_ outcome: AssetOutcome, after changes: Int) {
    record(outcome, changes) { old in outcome.isDue ? old == .failed ? .failed : .due : nil }
  }

  /// Records the result of a run.
  func run(_ outcome: AssetOutcome, after changes: Int) { record(outcome, changes) { _ in nil } }

  /// Removes all states, because the edit was saved.
  func forget() {
    known.withLock { known in
      known.states = [:]
      known.changes += 1
    }
  }

  /// Records the state that `special` returns, or that of the outcome itself if it returns nil.
  private func record(_ outcome: AssetOutcome, _ changes: Int, _ special: (State?) -> State?) {
    known.withLock { known in
      if known.changes != changes { return }
      let path = outcome.path.string
      let usual: State = outcome.reason.outcome > .due ? .failed : .done
      known.states[path] = special(known.states[path]) ?? usual
    }
  }
}
