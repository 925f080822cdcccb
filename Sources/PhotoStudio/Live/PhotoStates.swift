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

  private let states = Mutex<[String: State]>([:])

  subscript(path: String) -> State? { states.withLock { $0[path] } }

  /// Records the result of a check; a failure of the last run stays as long as the photo is due.
  func check(_ outcome: AssetOutcome) {
    states.withLock { states in
      if outcome.isDue {
        if states[outcome.path.string] != .failed { states[outcome.path.string] = .due }
      } else {
        states[outcome.path.string] = Self.state(of: outcome)
      }
    }
  }

  /// Records the result of a run.
  func run(_ outcome: AssetOutcome) {
    states.withLock { $0[outcome.path.string] = Self.state(of: outcome) }
  }

  /// Removes all states, because the edit was saved.
  func forget() { states.withLock { $0 = [:] } }

  private static func state(of outcome: AssetOutcome) -> State {
    outcome.reason.outcome > .due ? .failed : .done
  }
}
