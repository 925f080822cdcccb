import Glibc
import Synchronization
import SystemPackage
import Testing

@testable import PhotoLibrary

/// The journals that a recovery executes, and the files that it leaves unchanged.
@Suite struct RecoveryTests {
  let library: TemporaryLibrary
  var files: RealFileSystem { library.files }

  private static let temporary: FilePath = ".phbatch-1-00ff.tmp"
  private static let journal: FilePath = ".phbatch/txn/00000001-00ff.commit"

  init() throws { library = try TemporaryLibrary() }

  /// Writes the journal of a commit that replaces `1.jpg`, but makes no change yet.
  private func commit(
    path: FilePath = "1.jpg", temporary: FilePath = temporary, seal: JournalSeal? = nil
  ) throws {
    try library.write("1.jpg", "old")
    try library.write(Self.temporary, "new")
    try files.createFolders(".phbatch/txn", permissions: .newStateFolder)
    let entry = Journal.Entry(
      path: path, temporary: temporary, new: Digest(of: "new".utf8), old: Digest(of: "old".utf8),
      trashName: nil)
    let journal = Journal(
      id: "00000001-00ff", isAtomic: false, run: 1, units: [Journal.Unit(entries: [entry])])
    let own = try JournalFolder(Saver(files: files, durability: .full)).seal()
    try files.replace(
      Self.journal, with: journal.text(seal ?? own), permissions: .ownerReadWrite)
  }

  private func failure(_ body: () throws -> Void) -> RecoveryError? {
    do {
      try body()
      return nil
    } catch { return error as? RecoveryError }
  }

  private func isUntouched() throws -> Bool {
    try library.text("1.jpg") == "old" && library.text(Self.temporary) == "new"
  }

  @Test func recoveryCompletesAJournalOfThisMachine() throws {
    try commit()
    let report = try Publisher(files).recover()
    #expect(report.completed == ["1.jpg"])
    #expect(try library.text("1.jpg") == "new")
    #expect(try library.names() == [".phbatch", "1.jpg"])
    #expect(try library.names(in: ".phbatch/txn") == [])
  }

  @Test func aJournalSealedByAnotherMachineIsRefused() throws {
    try commit(seal: JournalSeal(key: Array("another machine".utf8)))
    #expect(failure { try Publisher(files).recover() } == .forged(Self.journal))
    #expect(try isUntouched())
    // The recovery fails until the user has removed the journal.
    #expect(failure { try Publisher(files).recover() } == .forged(Self.journal))
    try files.remove(Self.journal)
    #expect(failure { try Publisher(files).recover() } == nil)
    #expect(try isUntouched())
  }

  @Test func aJournalWithChangedBytesIsRefused() throws {
    try commit()
    try library.write("2.jpg", "old")
    let text = try library.text(Self.journal).split(separator: "1.jpg").joined(separator: "2.jpg")
    try files.replace(Self.journal, with: Array(text.utf8), permissions: .ownerReadWrite)
    #expect(failure { try Publisher(files).recover() } == .forged(Self.journal))
    #expect(try library.text("2.jpg") == "old")
  }

  @Test(arguments: [
    ("../1.jpg", ".phbatch-1-00ff.tmp"), ("/tmp/1.jpg", ".phbatch-1-00ff.tmp"),
    (".phbatch/run.lock", ".phbatch-1-00ff.tmp"), ("a/../1.jpg", ".phbatch-1-00ff.tmp"),
    (".phbatch-1-00aa.tmp", ".phbatch-1-00ff.tmp"), ("1.jpg", "2.jpg"),
    ("1.jpg", "../.phbatch-1-00ff.tmp"),
  ])
  func aJournalWithPathsThatPhbatchNeverWritesIsRefused(_ path: String, _ temporary: String) throws
  {
    try commit(path: FilePath(path), temporary: FilePath(temporary))
    #expect(failure { try Publisher(files).recover() } == .forged(Self.journal))
    #expect(try isUntouched())
  }

  @Test(arguments: [".phbatch", ".phbatch/txn", ".phbatch/txn/00000001-00ff.commit"])
  func aJournalThatOtherUsersCanWriteIsRefused(_ path: String) throws {
    try commit()
    let place = library.absolute(FilePath(path)).string
    #expect(chmod(place, 0o775) == 0)
    #expect(failure { try Publisher(files).recover() } == .open(FilePath(path)))
    #expect(try isUntouched())
    #expect(chmod(place, 0o755) == 0)
    try Publisher(files).recover()
    #expect(try library.text("1.jpg") == "new")
  }

  @Test(.enabled(if: geteuid() == 0)) func aJournalOwnedByAnotherUserIsRefused() throws {
    try commit()
    #expect(chown(library.absolute(Self.journal).string, 12_345, 12_345) == 0)
    #expect(failure { try Publisher(files).recover() } == .open(Self.journal))
    #expect(try isUntouched())
  }

  @Test func otherUsersLoseWriteAccessToTheStateFolder() throws {
    try files.createFolder(".phbatch", FilePermissions(rawValue: 0o755))
    #expect(chmod(library.path.appending(".phbatch").string, 0o775) == 0)
    _ = try OutputRoot.create(library: library.path)
    #expect(try files.status(at: ".phbatch")?.permissions == FilePermissions(rawValue: 0o755))
  }

  @Test func aDamagedJournalIsRenamedAndTheNextRunContinues() throws {
    try commit()
    let whole = try library.text(Self.journal)
    for count in stride(from: 0, to: whole.utf8.count - 1, by: 7) {
      let text = Array(whole.utf8.prefix(count))
      try files.replace(Self.journal, with: text, permissions: .ownerReadWrite)
      let place: FilePath = ".phbatch/txn/00000001-00ff.damaged"
      #expect(failure { try Publisher(files).recover() } == .illegible(place))
      #expect(try isUntouched())
      let root = try OutputRoot(library: library.path)
      #expect(try root.damagedJournals() == [place])
      #expect(!root.hasPendingJournal)
      // The next run continues. It does not remove temporary files, because the damaged journal may
      // have named them.
      let next = Publisher(files)
      try next.recover()
      #expect(try next.removeLeftovers([FileName(Self.temporary.components.first!)], in: "") == 0)
      #expect(try isUntouched())
      try files.remove(place)
    }
  }

  /// If the new file of an unfinished commit was removed, the recovery takes the commit back.
  @Test func aCommitWhoseNewFileIsMissingIsRolledBack() throws {
    try commit()
    try files.remove(Self.temporary)
    let report = try Publisher(files).recover()
    #expect(report.undone == ["1.jpg"] && report.completed.isEmpty)
    #expect(try library.text("1.jpg") == "old")
    #expect(try library.names(in: ".phbatch/txn") == [])
  }

  @Test func recoveryKeepsAFileThatAnotherProgramWrote() throws {
    try commit()
    try library.write("1.jpg", "theirs")
    let report = try Publisher(files).recover()
    #expect(report.undone == ["1.jpg"])
    #expect(try library.text("1.jpg") == "theirs")
    #expect(try library.text(".phbatch/conflicts/1.jpg") == "new")
    #expect(try OutputRoot(library: library.path).parkedFiles() == [".phbatch/conflicts/1.jpg"])
  }

  @Test func recoveryRemovesTemporaryFilesInTheStateFolder() throws {
    try library.write(".phbatch/.phbatch-1-00ff.tmp", "half a note")
    try library.write(".phbatch/run.json", "{}")
    try Publisher(files).recover()
    #expect(try library.names(in: ".phbatch") == ["run.json"])
  }

  @Test func anOutputRootReportsAPendingJournalUntilItIsRecovered() throws {
    let root = try OutputRoot(library: library.path)
    #expect(!root.hasPendingJournal)
    try commit()
    #expect(root.hasPendingJournal)
    try Publisher(files).recover()
    #expect(!root.hasPendingJournal)
  }
}
