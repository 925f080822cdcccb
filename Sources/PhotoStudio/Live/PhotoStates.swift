import PhotoBatch
import Synchronization
import SystemPackage

/// The states of photos after thumbnails, the last check and the last run, by the paths of the
/// photos.
final class PhotoStates: Sendable {
  /// The state of one photo.
  enum State: String, Sendable {
    /// No output of the recipe can render a photo in this format.
    case unsupported
    /// A run leaves the photo as it is, for example because the recipe does not select it.
    case left
    /// A run would render the photo.
    case due
    case done
    /// The photo could not be rendered, or the user must decide about it.
    case failed
  }

  /// The state of a photo with its reason; nil if there is nothing to explain.
  struct Entry: Sendable {
    var state: State
    var detail: String?
  }

  private struct Known {
    var states: [String: Entry] = [:]
    var changes = 0
  }

  private let known = Mutex(Known())

  subscript(path: String) -> Entry? { known.withLock { $0.states[path] } }

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
      let old = known.states[path]
      if let state = special(old?.state) {
        known.states[path] = Entry(state: state, detail: state == .failed ? old?.detail : nil)
      } else {
        let state = State(outcome.reason)
        let detail = outcome.detail ?? outcome.reason.rawValue
        known.states[path] = Entry(state: state, detail: state == .done ? nil : detail)
      }
    }
  }
}

extension PhotoStates.State {
  /// The state that a photo's outcome means.
  fileprivate init(_ reason: Reason) {
    self =
      switch reason {
      case .unsupportedFormat: .unsupported
      case _ where reason.outcome > .due: .failed
      case .rendered, .upToDate: .done
      default: .left
      }
  }
}
