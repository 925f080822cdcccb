import Glibc
import Synchronization
import SystemPackage
import Testing

@testable import PhotoLibrary

/// The locks that a shard holds while it commits.
@Suite struct CommitLockTests {
  let library: TemporaryLibrary
  var files: RealFileSystem { library.files }

  init() throws { library = try TemporaryLibrary() }

  /// Publishes a file as a shard of the plan `a`, and returns the locks of the library's commits
  /// that another process could have acquired meanwhile.
  private func locksLeft() throws -> Set<Int32> {
    let files = files
    let left = Mutex<Set<Int32>>([LOCK_SH, LOCK_EX])
    let observed = ObservedFileSystem(files) { call in
      guard case .rename(_, "photo.web.jpg", _) = call else { return nil }
      for lock in [LOCK_SH, LOCK_EX] {
        let isFree = try? files.openLock(CommitState.library.lock).withDescriptor {
          flock($0.rawValue, lock | LOCK_NB) == 0
        }
        if isFree == false { left.withLock { _ = $0.remove(lock) } }
      }
      return nil
    }
    let publisher = Publisher(observed, state: .shard(0, of: "a", key: [1]))
    let staged = try publisher.stage(in: "")
    try files.write([1], to: staged.file)
    try publisher.publish(
      PublicationGroup(renditions: [Publication("photo.web.jpg", staged, expected: .absent)]))
    return left.withLock { $0 }
  }

  @Test func shardsOfOnePlanCommitAtTheSameTime() throws {
    try files.createFolders(".phbatch/shards/a/1")
    try library.write(".phbatch/shards/a.json")
    #expect(try locksLeft() == [LOCK_SH])
  }

  @Test func aShardCommitsAloneIfThereIsAnotherPlan() throws {
    try files.createFolders(".phbatch/shards/b/0")
    #expect(try locksLeft() == [])
  }
}
