import Synchronization
import SystemPackage
import Testing

@testable import PhotoBatch

/// The order in which a dry run reports the outcomes of photos.
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

  /// An outcome is reported as soon as all earlier outcomes have been reported.
  ///
  /// Outcomes that are known from the start are reported between them, at their positions.
  @Test func anOutcomeIsReportedAsSoonAsAllEarlierOutcomesAreReported() {
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

  /// If a command is stopped, some photos have no outcome; at the end, the outcomes that are not
  /// yet reported are reported without these photos.
  @Test func theEndOfARunReportsAllRemainingOutcomes() {
    let log = Log()
    let release = OrderedRelease(known: [plan("e"), plan("b")]) { log.add($0) }
    release.add(outcome("d"), at: 3)
    release.add(outcome("a"), at: 1)
    release.end()
    #expect(log.all == ["a", "b", "d", "e"])
  }
}
