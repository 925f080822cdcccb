import SystemPackage
import Testing

@testable import PhotoBatch
@testable import PhotoLibrary

/// The photos that a watch does not try again because they failed.
@Suite struct AttemptsTests {
  private func failure(_ path: FilePath) -> AssetOutcome {
    AssetOutcome(path, .truncated, "the file is cut off")
  }

  private func news(settled names: [String] = [], hasLost: Bool = false) -> SettleTable.News {
    SettleTable.News(settled: names.map { FileName($0) }, appeared: [], hasLost: hasLost)
  }

  @Test func aWatchTriesAFailedPhotoAgainOnlyAfterItsFileChanges() {
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

  /// A photo that was replaced while it was read is tried again, because its new file became stable
  /// before the outcome was known.
  @Test(arguments: [true, false])
  func aPhotoThatChangedWhileItWasReadIsTriedAgain(_ isLost: Bool) {
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

  /// A watch does not report a photo that was removed, but reports a photo whose file lacks data
  /// that the recipe needs.
  @Test func aWatchReportsAPhotoThatLacksDataForTheRecipe() {
    var attempts = Attempts()
    attempts.beginRound()
    let gone = PhotoFailure(FileSystemError(.open, "a.jpg", .noSuchFileOrDirectory))
    var told = attempts.note(AssetOutcome("a.jpg", gone))
    #expect(!told && !attempts.holds("a.jpg"))
    told = attempts.note(AssetOutcome("b.jpg", .fileMissing, "the photo's file has no depth map"))
    #expect(told && attempts.holds("b.jpg"))
  }

  private func folder(_ names: String...) -> ScannedFolder {
    let identity = FileIdentity(inode: 1, size: 1, modified: 1, changed: 1)
    let status = FileStatus(
      kind: .regular, permissions: .ownerReadWrite, identity: identity, owner: 0, born: 0)
    var folder = ScannedFolder(path: "trip")
    folder.files = names.map { name in
      ScannedFile(name: FileName(name), status: status, claim: FileClaim(FileName(name)))
    }
    return folder
  }

  /// The removal of a file leads to a new attempt for a photo only if the file belonged to the
  /// photo or may have blocked the path of its rendition.
  @Test func aRemovedFileCausesANewAttemptOnlyForItsOwnPhotos() {
    let key = FolderKey(.library, "trip")
    var attempts = Attempts()
    attempts.beginRound()
    _ = attempts.note(failure("trip/a.jpg"))
    _ = attempts.note(AssetOutcome("trip/c.jpg", .occupied, "a file is there"))
    #expect(attempts.isUnseen(key))
    var lost = attempts.see(folder("a.jpg", "a.xmp", "b.jpg", "c.jpg"), key)
    #expect(lost == nil && !attempts.isUnseen(key))
    lost = attempts.see(folder("a.jpg", "a.xmp", "c.jpg"), key)
    #expect(lost == [FileName("b.jpg")])
    attempts.forget(news(hasLost: true), lost: lost, in: "trip")
    #expect(attempts.holds("trip/a.jpg") && !attempts.holds("trip/c.jpg"))
    lost = attempts.see(folder("a.jpg", "c.jpg"), key)
    attempts.forget(news(hasLost: true), lost: lost, in: "trip")
    #expect(!attempts.holds("trip/a.jpg"))
  }

  /// A repeated failure of a photo is not reported again.
  @Test func aRepeatedFailureOfAPhotoIsReportedOnce() {
    var attempts = Attempts()
    attempts.beginRound()
    var told = attempts.note(failure("trip/a.jpg"))
    #expect(told)
    attempts.beginRound()
    attempts.forget(news(hasLost: true), in: "trip")
    #expect(!attempts.holds("trip/a.jpg"))
    attempts.beginRound()
    told = attempts.note(failure("trip/a.jpg"))
    #expect(!told && attempts.holds("trip/a.jpg"))
    told = attempts.note(AssetOutcome("trip/a.jpg", .timeout, "it took long"))
    #expect(told)
    // The same outcome is reported again if the photo has a new file.
    attempts.beginRound()
    attempts.forget(news(settled: ["a.jpg"]), in: "trip")
    attempts.beginRound()
    told = attempts.note(AssetOutcome("trip/a.jpg", .timeout, "it took long"))
    #expect(told)
  }

  /// The other photo of a collision may be in any folder.
  @Test(arguments: [true, false])
  func aCollisionIsTriedAgainAfterAnyChangeOfTheLibrary(_ isOfFolder: Bool) {
    let collision = AssetOutcome("a/x.jpg", .collision, "it would also be one of 'b/x.jpg'")
    var attempts = Attempts()
    attempts.beginRound()
    var told = attempts.note(collision)
    #expect(told && attempts.holds("a/x.jpg"))
    _ = attempts.note(failure("a/y.jpg"))
    for _ in 0..<2 {
      attempts.beginRound()
      if isOfFolder {
        attempts.forget(FolderKey(.library, "b"))
      } else {
        attempts.forget(news(settled: ["x.jpg.xmp"]), in: "b")
      }
      #expect(!attempts.holds("a/x.jpg") && attempts.holds("a/y.jpg"))
      // The collision may have ended after it was found.
      told = attempts.note(collision)
      #expect(!told && !attempts.holds("a/x.jpg"))
      attempts.beginRound()
      told = attempts.note(collision)
      #expect(!told && attempts.holds("a/x.jpg"))
    }
  }
}
