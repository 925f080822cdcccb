import Foundation
import Glibc
import PhotoLibrary
import PhotoRecipes
import SystemPackage
import Testing

@Suite struct LibraryLockTests {
  let library: TemporaryLibrary
  let root: OutputRoot

  init() throws {
    library = try TemporaryLibrary()
    root = try OutputRoot.create(library: library.path)
  }

  @Test func theStateFolderIsIgnoredByGit() throws {
    #expect(try library.text(".phbatch/.gitignore") == "*\n")
    #expect(try library.names(in: ".phbatch") == [".gitignore"])
  }

  @Test func theErrorAboutALockedLibraryNamesTheHolder() async throws {
    let first = try await LibraryLock.acquire(root, command: "run web.json")
    let again = try OutputRoot(library: library.path)
    let error = await #expect(throws: LibraryLockError.self) {
      try await LibraryLock.acquire(again, command: "watch web.json")
    }
    #expect(error?.holder?.process == getpid())
    #expect(error?.holder?.command == "run web.json")
    #expect(error?.message.contains("'phbatch run web.json', process \(getpid()) on ") == true)
    withExtendedLifetime(first) {}
  }

  /// If a library is inside another one, a run over either may have temporary files in folders of
  /// both, so they are not removed while the run holds its lock.
  @Test func aFolderIsInUseWhileANestedOrOuterLibraryIsLocked() async throws {
    try library.write("sub/1.jpg", "")
    let inner = try OutputRoot.create(library: library.path.appending("sub"))
    #expect(!inner.isShared("") && !root.isShared("sub") && !root.isShared(""))
    do {
      let lock = try await LibraryLock.acquire(root, command: "run")
      #expect(inner.isShared("") && !root.isShared("sub"))
      withExtendedLifetime(lock) {}
    }
    do {
      let lock = try await LibraryLock.acquire(inner, command: "run")
      #expect(root.isShared("sub") && !root.isShared("") && !inner.isShared(""))
      withExtendedLifetime(lock) {}
    }
    #expect(!inner.isShared("") && !root.isShared("sub"))
    // Temporary files of an interrupted run are needed for its completion.
    try library.write(".phbatch/txn/00000001-00ff.commit", "")
    #expect(inner.isShared("") && !root.isShared("sub"))
  }

  /// The note about the lock's holder is only information for users.
  ///
  /// A command must be able to lock the library without writing the note, because the disk may be
  /// full.
  @Test func aLockIsAcquiredEvenIfItsNoteCannotBeWritten() async throws {
    try library.write(".phbatch/run.json/in/the/way", "")
    let lock = try await LibraryLock.acquire(root, command: "run")
    let error = await #expect(throws: LibraryLockError.self) {
      try await LibraryLock.acquire(root, command: "watch")
    }
    #expect(error?.holder == nil)
    withExtendedLifetime(lock) {}
  }

  @Test func theLibraryLockIsReleasedWithItsHolder() async throws {
    for _ in 0..<2 {
      let lock = try await LibraryLock.acquire(root, command: "run")
      withExtendedLifetime(lock) {}
    }
    #expect(try library.names(in: ".phbatch") == [".gitignore", "run.lock"])
  }

  @Test func waitingForALockSucceedsOnceTheHolderReleasesIt() async throws {
    var first: LibraryLock? = try await LibraryLock.acquire(root, command: "run")
    async let second = LibraryLock.acquire(root, command: "watch", wait: .seconds(600))
    try await Task.sleep(for: .milliseconds(50))
    withExtendedLifetime(first) {}
    first = nil
    withExtendedLifetime(try await second) {}
  }

  @Test func waitingForALockFailsAtTheTimeLimit() async throws {
    let first = try await LibraryLock.acquire(root, command: "run")
    let start = ContinuousClock.now
    await #expect(throws: LibraryLockError.self) {
      try await LibraryLock.acquire(root, command: "run", wait: .milliseconds(150))
    }
    #expect(start.duration(to: .now) >= .milliseconds(150))
    withExtendedLifetime(first) {}
  }

  /// The holder of a lock can see that another process waits for the lock, until that wait ends for
  /// any reason.
  @Test func theHolderOfALockDetectsAWaitingProcess() async throws {
    let first = try await LibraryLock.acquire(root, command: "watch", givesWay: true)
    #expect(!first.isWanted)
    let waiting = Task { [root] in
      _ = try await LibraryLock.acquire(root, command: "run", wait: .seconds(600))
    }
    while !first.isWanted { try await Task.sleep(for: .milliseconds(5)) }
    #expect(first.isWanted, "looking takes nothing away")
    waiting.cancel()
    _ = await waiting.result
    #expect(!first.isWanted)
    withExtendedLifetime(first) {}
  }

  /// A watch releases its lock for a waiting run, but not for another watch that waits.
  @Test func aWatchDoesNotRequestTheLockOfAnotherWatch() async throws {
    let first = try await LibraryLock.acquire(root, command: "watch", givesWay: true)
    var wasWanted = false
    await #expect(throws: LibraryLockError.self) {
      try await LibraryLock.acquire(
        root, command: "watch", wait: .milliseconds(300), givesWay: true
      ) { wasWanted = wasWanted || first.isWanted }
    }
    #expect(!wasWanted)
    withExtendedLifetime(first) {}
  }

  @Test func aRunWaitsForAWatchThatReleasesItsLock() async throws {
    var first: LibraryLock? = try await LibraryLock.acquire(
      root, command: "watch", givesWay: true)
    let second = try await LibraryLock.acquire(root, command: "run") {
      withExtendedLifetime(first) {}
      first = nil
    }
    await #expect(throws: LibraryLockError.self) {
      try await LibraryLock.acquire(root, command: "run")
    }
    withExtendedLifetime(second) {}
  }

  @Test func theLockNoteOfAnEndedProcessIsIgnored() async throws {
    let first = try await LibraryLock.acquire(root, command: "run")
    let note = try library.text(".phbatch/run.json")
    // Process IDs are at most 2^22 on Linux, so this process does not exist.
    let dead = note.replacingOccurrences(of: "\(getpid())", with: "4194305")
    try library.write(".phbatch/run.json", dead)
    let error = await #expect(throws: LibraryLockError.self) {
      try await LibraryLock.acquire(root, command: "run")
    }
    #expect(error != nil && error?.holder == nil)
    withExtendedLifetime(first) {}
  }

  @Test func aChildProcessDoesNotInheritTheLibraryLock() async throws {
    let lock = try await LibraryLock.acquire(root, command: "run")
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let file = library.absolute(".phbatch/run.lock").string
    let mine = open.compactMap(Int32.init).filter { descriptor in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)"))
        == file
    }
    #expect(mine.count == 1)
    for descriptor in mine { #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC) }
    withExtendedLifetime(lock) {}
  }
}
