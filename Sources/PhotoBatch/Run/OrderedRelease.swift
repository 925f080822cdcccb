import PhotoLibrary
import Synchronization
import SystemPackage

/// Passes the outcomes of a dry run on in the order of their paths.
///
/// An outcome waits only for those of earlier paths. As photos are planned in this order, few
/// outcomes wait at a time.
final class OrderedRelease: Sendable {
  private struct State {
    /// The outcomes that wait for an earlier photo, by the photo's position.
    var waiting: [Int: AssetOutcome] = [:]
    /// The position of the next photo to be passed on.
    var next = 0
    /// The number of known plans that were passed on.
    var told = 0
  }

  /// The plans that are already known, sorted by path.
  private let known: [PhotoPlan]
  private let state = Mutex(State())
  private let emit: @Sendable (RunEvent) -> Void

  /// `emit` receives one event at a time.
  init(known: [PhotoPlan], _ emit: @escaping @Sendable (RunEvent) -> Void) {
    self.known = known.sorted { Self.precedes($0.path, $1.path) }
    self.emit = emit
  }

  static func precedes(_ left: FilePath, _ right: FilePath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  /// Adds the outcome of the photo at a position in the order of paths, and passes on those that
  /// need not wait any longer.
  func add(_ outcome: AssetOutcome, at position: Int) {
    state.withLock { state in
      state.waiting[position] = outcome
      while let outcome = state.waiting.removeValue(forKey: state.next) {
        pass(&state, outcome)
        state.next += 1
      }
    }
  }

  /// Passes on everything that is left.
  ///
  /// If the command was stopped, some photos have no outcome.
  func end() {
    state.withLock { state in
      for (_, outcome) in state.waiting.sorted(by: { $0.key < $1.key }) { pass(&state, outcome) }
      state.waiting = [:]
      passKnown(&state, before: nil)
    }
  }

  private func pass(_ state: inout State, _ outcome: AssetOutcome) {
    passKnown(&state, before: outcome.path)
    emit(.finished(outcome))
  }

  /// Passes on the known plans of paths before a path; nil for all.
  private func passKnown(_ state: inout State, before path: FilePath?) {
    while state.told < known.count,
      path.map({ Self.precedes(known[state.told].path, $0) }) ?? true
    {
      let plan = known[state.told]
      emit(.started(plan.path))
      emit(.finished(AssetOutcome(plan)))
      state.told += 1
    }
  }
}
