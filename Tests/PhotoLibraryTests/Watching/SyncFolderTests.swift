import PhotoLibrary
import Synchronization
import SystemPackage
import Testing

/// Watches of one library that start together, as systemd starts them at boot.
@Suite struct SyncFolderTests {
  let library: TemporaryLibrary

  init() throws {
    library = try TemporaryLibrary()
    try library.files.createFolders(OutputRoot.stateFolder)
  }

  /// Watches keep their folders even if another watch starts right before each call that the first
  /// one makes.
  @Test func watchesThatStartAtTheSameTimeKeepTheirSyncFolders() throws {
    let library = library
    let others = Mutex<[SyncFolder]>([])
    let failures = Mutex<[any Error]>([])
    let observed = ObservedFileSystem(library.files) { call in
      switch call {
      case .open, .read: break
      default:
        // The first watch tries again as long as other watches start, so the test stops after 30 of
        // them.
        if others.withLock({ $0.count }) >= 30 { return nil }
        do {
          let other = try SyncFolder.create(in: library.files, command: "watch b.json")
          others.withLock { $0.append(other) }
        } catch { failures.withLock { $0.append(error) } }
      }
      return nil
    }
    let first = try SyncFolder.create(in: observed, command: "watch a.json")
    #expect(failures.withLock { $0.count } == 0)
    let started = Set(others.withLock { $0 } + [first])
    #expect(started.count == 31)
    #expect(Set(try SyncFolder.running(in: library.files)) == started)
  }

  /// A watch's folder is removed only if it has no note, and only the files that it contained
  /// before the check for the note are removed.
  @Test func aSyncFolderIsKeptIfAnotherProcessJustWroteAFileInIt() throws {
    let library = library
    let half = OutputRoot.stateFolder.appending("watches/1-starting")
    try library.files.createFolders(half)
    try library.write(half.appending(".phbatch-1-0.tmp"))
    let note = half.appending("watch.json")
    let observed = ObservedFileSystem(library.files) { call in
      guard case .open(note) = call else { return nil }
      try? library.write(note, "written between the check and the removal")
      return .noSuchFileOrDirectory
    }
    _ = try SyncFolder.create(in: observed, command: "watch a.json")
    #expect(try library.files.status(at: note) != nil)
  }
}
