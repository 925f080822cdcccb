import Glibc
import Synchronization
import SystemPackage

/// The exclusive right to process one shard of a plan.
///
/// Its holder also has a shared `LibraryLock`. Like the `LibraryLock`, it is a kernel lock, on a
/// file of the shard.
public final class ShardLock: Sendable {
  private let files: RealFileSystem
  private let lock: OpenFile
  private let note: FilePath?
  /// Shows other machines that this process is running; nil for a shard without a plan.
  private let heartbeat: Heartbeat?
  private let isReleased = Mutex(false)

  private init(_ files: RealFileSystem, _ lock: OpenFile, note: FilePath?) {
    (self.files, self.lock, self.note) = (files, lock, note)
    heartbeat = note.map { Heartbeat($0.removingLastComponent().appending("alive"), in: files) }
  }

  /// Acquires the lock of a shard, and creates the shard's folder if it is missing.
  ///
  /// If the last holder was on another machine and did not release the lock, the call waits until
  /// it is certain that this holder has ended.
  ///
  /// - Throws: `LibraryLockError` if another process is working on the shard; `UnsafeLocks` if a
  ///   process on another machine is working on it in spite of the lock.
  public static func acquire(
    _ place: ShardPlace, in root: OutputRoot, command: String
  ) async throws -> ShardLock {
    let path = place.lock
    try root.files.createFolders(path.removingLastComponent(), permissions: .newStateFolder)
    let lock = try root.files.openLock(path)
    guard lock.withDescriptor({ flock($0.rawValue, LOCK_EX | LOCK_NB) }) == 0 else {
      let failure = Errno(rawValue: errno)
      guard failure == .wouldBlock else { throw FileSystemError(.lock, path, failure) }
      throw LibraryLockError(
        root: root.files.path,
        holder: place.note.flatMap { LockNote.read($0, in: root.files) })
    }
    if let note = place.note, let earlier = LockNote.read(note, in: root.files),
      earlier.host != Machine.hostName
    {
      let alive = place.state.folder.appending("alive")
      if try await Heartbeat.isBeating(alive, in: root.files) {
        throw UnsafeLocks(root.files.path, .broken(host: earlier.host))
      }
    }
    let acquired = ShardLock(root.files, lock, note: place.note)
    // The shard's index takes the start time of the command from the timestamp of the lock note.
    if let note = place.note {
      try root.files.replace(note, with: LockNote(command: command).json())
    }
    return acquired
  }

  /// True if a process is working on the shard.
  public static func isHeld(_ place: ShardPlace, in root: OutputRoot) -> Bool {
    isHeld(place.lock, in: root.files)
  }

  /// True if a process has locked the file `path` of a shard.
  static func isHeld(_ path: FilePath, in files: RealFileSystem) -> Bool {
    guard (try? files.status(at: path)) ?? nil != nil, let lock = try? files.openLock(path)
    else { return false }
    guard lock.withDescriptor({ flock($0.rawValue, LOCK_EX | LOCK_NB) }) == 0 else { return true }
    _ = lock.withDescriptor { flock($0.rawValue, LOCK_UN) }
    return false
  }

  /// The lock note of any shard that may be running; nil if no shard is running.
  static func holder(in files: RealFileSystem) -> LockNote? {
    for folder in ShardFolders.all(in: files) {
      if let note = LockNote.read(folder.appending("run.json"), in: files) { return note }
    }
    return nil
  }

  /// Releases the lock now; otherwise the lock ends with the last reference to this object.
  public func release() {
    isReleased.withLock { isReleased in
      if isReleased { return }
      isReleased = true
      heartbeat?.end()
      if let note { try? files.remove(note) }
      // A child process between its fork and its exec has the file open, too, so closing it is not
      // enough.
      _ = lock.withDescriptor { flock($0.rawValue, LOCK_UN) }
    }
  }

  deinit { release() }
}
