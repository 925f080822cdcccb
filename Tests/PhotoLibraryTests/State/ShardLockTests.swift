import Glibc
import SystemPackage
import Testing

@testable import PhotoLibrary

@Suite struct ShardLockTests {
  let library: TemporaryLibrary
  let root: OutputRoot
  let place = ShardPlace(3, of: "0123456789abcdef", key: [UInt8](repeating: 7, count: 32))

  init() throws {
    library = try TemporaryLibrary()
    root = try OutputRoot.create(library: library.path)
  }

  @Test func aShardIsLockedByOneProcess() async throws {
    let first = try await ShardLock.acquire(place, in: root, command: "run --shard 3")
    #expect(ShardLock.isHeld(place, in: root))
    let error = await #expect(throws: LibraryLockError.self) {
      try await ShardLock.acquire(place, in: root, command: "run --shard 3")
    }
    #expect(error?.holder?.process == getpid())
    let other = ShardPlace(4, of: "0123456789abcdef", key: [UInt8](repeating: 7, count: 32))
    let second = try await ShardLock.acquire(other, in: root, command: "run --shard 4")
    first.release()
    #expect(!ShardLock.isHeld(place, in: root) && ShardLock.isHeld(other, in: root))
    second.release()
  }

  @Test func shardsShareTheLibraryLockAndExcludeRuns() async throws {
    let first = try await LibraryLock.acquire(root, command: "run", isShared: true)
    let again = try OutputRoot(library: library.path)
    let second = try await LibraryLock.acquire(again, command: "run", isShared: true)
    let shard = try await ShardLock.acquire(place, in: root, command: "run --plan p --shard 3")
    let error = await #expect(throws: LibraryLockError.self) {
      try await LibraryLock.acquire(again, command: "merge", wait: .zero)
    }
    #expect(error?.holder?.command == "run --plan p --shard 3")
    shard.release()
    first.release()
    second.release()
    let alone = try await LibraryLock.acquire(root, command: "merge", wait: .zero)
    await #expect(throws: LibraryLockError.self) {
      try await LibraryLock.acquire(again, command: "run", wait: .zero, isShared: true)
    }
    alone.release()
  }

  /// A command that undoes earlier commands needs the undo data of all shards, which is available
  /// only after `merge`.
  @Test func undoIsRefusedUntilAllShardsAreMerged() async throws {
    try ShardFolders.check(root, needsUndoData: true)
    let lock = try await ShardLock.acquire(place, in: root, command: "run --shard 3")
    lock.release()
    try ShardFolders.check(root, needsUndoData: false)
    let error = #expect(throws: UnfinishedShards.self) {
      try ShardFolders.check(root, needsUndoData: true)
    }
    #expect(error?.isInterrupted == false)
  }

  /// If locks do not exclude other machines, a lock holder on another machine is detected by its
  /// heartbeat file, which keeps changing.
  @Test func aShardLockIsRefusedWhileItsHolderOnAnotherMachineIsActive() async throws {
    let lock = try await ShardLock.acquire(place, in: root, command: "run --shard 3")
    lock.release()
    let note =
      #"{"command": "run", "host": "far", "process": 7, "started": "2026-01-01T00:00:00Z"}"#
    try library.write(".phbatch/shards/0123456789abcdef/3/run.json", note)
    let far = Heartbeat(
      place.state.folder.appending("alive"), in: root.files, every: .milliseconds(50))
    let error = await #expect(throws: UnsafeLocks.self) {
      try await ShardLock.acquire(place, in: root, command: "run --shard 3")
    }
    #expect(error?.message.contains("do not exclude 'far'") == true)
    far.end()
  }

  @Test func aLockHolderWhoseHeartbeatHasStoppedIsDetected() async throws {
    let path: FilePath = ".phbatch/alive"
    let isThere = try await Heartbeat.isBeating(path, in: root.files, for: .milliseconds(10))
    #expect(!isThere)
    try library.write(".phbatch/alive", "7")
    let isBeating = try await Heartbeat.isBeating(path, in: root.files, for: .seconds(1))
    #expect(!isBeating)
  }
}
