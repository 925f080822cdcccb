import PhotoLibrary
import SystemPackage
import Testing

/// The time at which a watch may read a file, tested with an artificial clock and real files.
@Suite struct SettleTableTests {
  let library: TemporaryLibrary
  let key = FolderKey(.library, "")
  let start = ContinuousClock.now

  init() throws { library = try TemporaryLibrary() }

  private func folder() throws -> ScannedFolder {
    for case .success(let folder) in Scan(library.files) where folder.path.isEmpty {
      return folder
    }
    return ScannedFolder(path: "")
  }

  private func see(
    _ table: inout SettleTable, after seconds: Double, isWritten: Bool = false
  ) throws -> [String] {
    try table.see(
      folder(), key, now: start + .seconds(seconds), trustsInodes: true,
      isWritten: { _ in isWritten }
    ).settled.map(\.description)
  }

  @Test func aFileIsStableAfterTheSettleTime() throws {
    var table = SettleTable(time: .seconds(2))
    try library.write("a.jpg", "photo")
    #expect(try see(&table, after: 0) == [])
    #expect(table.waitingCount == 1)
    #expect(table.nextDue(after: start) == start + .seconds(2))
    #expect(try see(&table, after: 1.9) == [])
    #expect(try see(&table, after: 2) == ["a.jpg"])
    #expect(table.waitingCount == 0)
    #expect(table.nextDue(after: start) == nil)
    #expect(try see(&table, after: 9) == [])
  }

  @Test func aChangeOfAFileRestartsItsSettleTime() throws {
    var table = SettleTable(time: .seconds(2))
    try library.write("a.jpg", "half")
    _ = try see(&table, after: 0)
    try library.write("a.jpg", "half a photo")
    #expect(try see(&table, after: 2) == [])
    #expect(try see(&table, after: 3.9) == [])
    #expect(try see(&table, after: 4) == ["a.jpg"])
  }

  /// A photo waits for a file beside it for at most one minute after the first scan of the file,
  /// even if the file changes again and again.
  @Test func aFileThatKeepsGrowingBlocksOthersForAtMostOneMinute() throws {
    var table = SettleTable(time: .seconds(2), longest: .seconds(60))
    for second in 0..<70 {
      try library.write("a.mov", String(repeating: "x", count: second))
      #expect(try see(&table, after: Double(second)) == [])
      let names = table.waitingNames(in: key, now: start + .seconds(second))
      #expect(names.concern(FileName("a.heic")) == (second < 60))
    }
    #expect(table.isWaiting(since: start))
  }

  @Test func aFileThatIsOpenForWritingIsNotStable() throws {
    var table = SettleTable(time: .seconds(2), longest: .seconds(60))
    try library.write("a.jpg", "photo")
    _ = try see(&table, after: 0)
    #expect(try see(&table, after: 3, isWritten: true) == [])
    #expect(try see(&table, after: 59, isWritten: true) == [])
    #expect(try see(&table, after: 60, isWritten: true) == ["a.jpg"])
  }

  @Test(arguments: ["a.jpg.part", "a.jpg.crdownload", "a.jpg~", "a.filepart"])
  func aPartialDownloadBecomesStableOnlyAtTheLongestTime(_ name: String) throws {
    var table = SettleTable(time: .seconds(2), longest: .seconds(60))
    try library.write(FilePath(name), "photo")
    _ = try see(&table, after: 0)
    #expect(try see(&table, after: 30) == [])
    #expect(try see(&table, after: 60) == [name])
  }

  @Test func renditionsWrittenByTheWatchAreNotReportedAsNew() throws {
    var table = SettleTable(time: .seconds(2))
    try library.write("a.web.jpg", "rendition")
    let identity = try #require(try library.files.status(at: "a.web.jpg")).identity
    table.know(FileName("a.web.jpg"), identity, in: key, trustsInodes: true)
    let news = try table.see(
      folder(), key, now: start, trustsInodes: true, isWritten: { _ in false })
    #expect(news.isEmpty && news.appeared.isEmpty)
    try library.write("a.web.jpg", "by hand")
    let later = try table.see(
      folder(), key, now: start, trustsInodes: true, isWritten: { _ in false })
    #expect(later.hasLost)
    #expect(later.appeared.count == 1)
  }

  @Test func aFileWrittenByTheRunNeedsNoSettleTime() throws {
    var table = SettleTable(time: .seconds(2))
    try library.write("a.web.jpg", "rendition")
    _ = try see(&table, after: 0)
    let identity = try #require(try library.files.status(at: "a.web.jpg")).identity
    table.know(FileName("a.web.jpg"), identity, in: key, trustsInodes: true)
    #expect(table.waitingCount == 0)
    #expect(table.due(start + .seconds(9)).isEmpty)
  }

  /// If a file that is not yet stable is removed, that is reported, because a photo may have waited
  /// for the file.
  @Test func aFileRemovedBeforeItIsStableIsReportedAsLost() throws {
    var table = SettleTable(time: .seconds(2))
    try library.write("a.aae", "edit")
    try library.write("a.jpg", "photo")
    _ = try see(&table, after: 0)
    try library.files.remove("a.aae")
    let news = try table.see(
      folder(), key, now: start + .seconds(1), trustsInodes: true, isWritten: { _ in false })
    #expect(news.hasLost && !news.isEmpty)
    let next = try table.see(
      folder(), key, now: start + .seconds(1.5), trustsInodes: true, isWritten: { _ in false })
    #expect(!next.hasLost)
  }

  @Test func aStableFileThatIsRemovedIsReportedAsLost() throws {
    var table = SettleTable(time: .zero)
    try library.write("a.jpg", "photo")
    _ = try see(&table, after: 0)
    _ = try see(&table, after: 1)
    try library.files.remove("a.jpg")
    let news = try table.see(
      folder(), key, now: start, trustsInodes: true, isWritten: { _ in false })
    #expect(news.hasLost)
    let wasThere = table.forget(key)
    #expect(!wasThere)
  }

  @Test func aFileThatHasNotChangedForLongIsStableAtOnce() throws {
    var table = SettleTable(time: .seconds(2))
    try library.write("old.jpg", "photo")
    try library.write("new.jpg", "photo")
    let news = try table.see(
      folder(), key, now: start, trustsInodes: true, isOld: { "\($0.name)" == "old.jpg" },
      isWritten: { _ in false })
    #expect(news.settled.map(\.description) == ["old.jpg"])
    #expect(table.waitingCount == 1)
    let files = try folder().files
    #expect(files.map { table.holds($0, in: key, trustsInodes: true) } == [false, true])
  }
}
