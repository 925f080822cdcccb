import Synchronization

@testable import PhotoBatch

/// Collects the outcomes of photos, from any thread.
final class Outcomes: Sendable {
  private let outcomes = Mutex<[AssetOutcome]>([])

  func add(_ outcome: AssetOutcome) { outcomes.withLock { $0.append(outcome) } }

  var all: [AssetOutcome] { outcomes.withLock { $0 } }
}
