import PhotoLibrary
import Synchronization
import SystemPackage

/// Reports the outcomes of a dry run in the order of their paths.
///
/// An outcome waits until the outcomes of all earlier paths are reported. Photos are planned in
/// this order, so only a few outcomes wait at a time.
final class OrderedRelease: Sendable {
  private struct State {
    /// The outcomes that wait for an earlier photo, by the photo's position in the order of paths.
    var waiting: [Int: AssetOutcome] = [:]
    /// The position of the photo to be reported next.
    var next = 0
    /// The number of plans in `known` that are already reported.
    var told = 0
  }

  /// The plans known before planning, sorted by path.
  private let known: [PhotoPlan]
  private let state = Mutex(State())
  private let emit: @Sendable (RunEvent) -> Void

  /// `emit` reports an event; the calls do not overlap.
  init(known: [PhotoPlan], _ emit: @escaping @Sendable (RunEvent) -> Void) {
    self.known = known.sorted { Self.precedes($0.path, $1.path) }
    self.emit = emit
  }

  static func precedes(_ left: FilePath, _ right: FilePath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  /// Adds the outcome of the photo at a position in the order of paths, and reports all outcomes
  /// that no longer wait for an earlier outcome.
  func add(_ outcome: AssetOutcome, at position: Int) {
    state.withLock { state in
      state.waiting[position] = outcome
      while let outcome = state.waiting.removeValue(forKey: state.next) {
        pass(&state, outcome)
        state.next += 1
      }
    }
  }

  /// Reports all remaining outcomes and known plans.
  ///
  /// Some photos have no outcome if the command was stopped, so the outcomes behind them still
  /// wait.
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

  /// Reports the known plans whose paths precede `path`; nil reports all.
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
