import SystemPackage
import Testing

@testable import PhotoBatch
@testable import PhotoLibrary

/// Which photos a watch leaves alone because they failed.
@Suite struct AttemptsTests {
  private func failure(_ path: FilePath) -> AssetOutcome {
    AssetOutcome(path, .truncated, "it ends early")
  }

  private func news(settled names: [String] = [], hasLost: Bool = false) -> SettleTable.News {
    SettleTable.News(settled: names.map { FileName($0) }, appeared: [], hasLost: hasLost)
  }

  @Test func aPhotoThatFailedIsLeftAloneUntilItChanges() {
    var attempts = Attempts()
    attempts.beginRound()
    let isTold = attempts.note(failure("trip/a.jpg"))
    #expect(isTold)
    #expect(attempts.holds("trip/a.jpg") && !attempts.holds("trip/b.jpg"))
    attempts.beginRound()
    attempts.forget(news(settled: ["b.jpg"]), in: "trip")
    attempts.forget(news(settled: ["a.jpg"]), in: "")
    #expect(attempts.holds("trip/a.jpg"))
    attempts.forget(news(settled: ["a.xmp"]), in: "trip")
    #expect(!attempts.holds("trip/a.jpg"))
  }

  /// It was read while somebody replaced it, and what it is now settled before that was known.
  @Test(arguments: [true, false])
  func aPhotoThatChangedMeanwhileIsTriedAgain(_ isLost: Bool) {
    var attempts = Attempts()
    attempts.beginRound()
    attempts.forget(news(settled: isLost ? [] : ["a.jpg"], hasLost: isLost), in: "trip")
    var told = attempts.note(failure("trip/a.jpg"))
    #expect(!told)
    #expect(!attempts.holds("trip/a.jpg"))
    told = attempts.note(failure("a.jpg"))
    #expect(told)
    attempts.beginRound()
    told = attempts.note(failure("trip/a.jpg"))
    #expect(told)
    #expect(attempts.holds("trip/a.jpg"))
  }
}
