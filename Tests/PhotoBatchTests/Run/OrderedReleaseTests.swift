import Synchronization
import SystemPackage
import Testing

@testable import PhotoBatch

/// The order in which a dry run passes on its outcomes.
@Suite struct OrderedReleaseTests {
  /// The paths of the finished photos so far.
  private final class Log: Sendable {
    private let paths = Mutex<[String]>([])

    var all: [String] { paths.withLock { $0 } }

    func add(_ event: RunEvent) {
      if case .finished(let outcome) = event { paths.withLock { $0.append(outcome.path.string) } }
    }
  }

  private func plan(_ path: String) -> PhotoPlan { PhotoPlan(FilePath(path), .leave(.upToDate)) }

  private func outcome(_ path: String) -> AssetOutcome { AssetOutcome(FilePath(path), .skipped) }

  /// An outcome is passed on as soon as all earlier outcomes have been passed on.
  ///
  /// Plans that are known from the start are passed on in between, at their positions.
  @Test func outcomesWaitOnlyForEarlierOnes() {
    let log = Log()
    let release = OrderedRelease(known: [plan("d"), plan("a")]) { log.add($0) }
    release.add(outcome("c"), at: 1)
    #expect(log.all.isEmpty)
    release.add(outcome("b"), at: 0)
    #expect(log.all == ["a", "b", "c"])
    release.add(outcome("f"), at: 3)
    #expect(log.all == ["a", "b", "c"])
    release.add(outcome("e"), at: 2)
    #expect(log.all == ["a", "b", "c", "d", "e", "f"])
    release.end()
    #expect(log.all == ["a", "b", "c", "d", "e", "f"])
  }

  /// If a command is stopped, some photos have no outcome; at the end, the remaining outcomes are
  /// passed on without them.
  @Test func theEndPassesOnWhatIsLeft() {
    let log = Log()
    let release = OrderedRelease(known: [plan("e"), plan("b")]) { log.add($0) }
    release.add(outcome("d"), at: 3)
    release.add(outcome("a"), at: 1)
    release.end()
    #expect(log.all == ["a", "b", "d", "e"])
  }
}
