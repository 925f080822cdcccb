import FoundationEssentials
import Glibc
public import Notation
import PhotoRecipes
import Synchronization
public import SystemPackage

/// The right to write to an output root.
///
/// Only one process at a time has the lock, unless all its holders are shards of plans, which share
/// it.
///
/// The lock is a kernel lock (flock) on `.phbatch/run.lock`, so it ends with the process, however
/// the process ends. While no process has the lock, the lock's file and the lock note beside it
/// have no effect. Child processes do not inherit the lock. On NFS the lock works between machines,
/// except with the mount option `local_lock`; see `LockProbe`.
public final class LibraryLock: Sendable {
  static let file: FilePath = ".phbatch/run.lock"
  static let note = CommitState.library.note
  /// The file that waiting processes lock.
  ///
  /// A process that waits for the library lock, and does not itself release the lock for others,
  /// keeps a shared lock on this file, so that the holder can detect the waiting process.
  static let queue: FilePath = ".phbatch/wait.lock"
  private static let pause = Duration.milliseconds(100)
  /// The times to wait for the lock: `holder` if its holder releases the lock for waiting
  /// processes, `note` if its holder has not written the lock note yet.
  ///
  /// A new holder saves the lock note to disk, which takes some time on a busy disk.
  private static let patience = (holder: Duration.seconds(30), note: Duration.seconds(5))

  private let files: RealFileSystem
  private let lock: OpenFile
  private let isShared: Bool
  private let isReleased = Mutex(false)
  /// Locked while the queue is checked, because each of two simultaneous checks would treat the
  /// other one as a waiting process.
  private let trial = Mutex(())

  private init(_ files: RealFileSystem, _ lock: OpenFile, isShared: Bool) {
    self.files = files
    self.lock = lock
    self.isShared = isShared
  }

  /// Acquires the lock of an output root that `OutputRoot.prepare` has prepared.
  ///
  /// The lock note records that this process runs `command`, such as `run web.json`, and whether it
  /// gives way: a holder that gives way checks `isWanted` and releases the lock for waiting
  /// processes. If another process has the lock, the call waits for the time `wait`. If `wait` is
  /// nil, the call waits 30 s for a holder that gives way, 5 s for the lock note of a new holder,
  /// and not at all for any other holder. Then it throws a `LibraryLockError` with the holder. A
  /// caller that gives way itself does not join the queue. Cancelling the task ends the wait;
  /// `whileWaiting` is called after each failed attempt.
  ///
  /// With `isShared`, other holders may share the lock, and there is no lock note of the library,
  /// because the lock note of the `ShardLock` replaces it.
  public static func acquire(
    _ root: OutputRoot, command: String, wait: Duration? = nil, givesWay: Bool = false,
    isShared: Bool = false, whileWaiting: () -> Void = {}
  ) async throws -> LibraryLock {
    let start = ContinuousClock.now
    var place: OpenFile?
    defer { leave(place) }
    while true {
      if let lock = try attempt(root.files, isShared ? LOCK_SH : LOCK_EX) {
        let acquired = LibraryLock(root.files, lock, isShared: isShared)
        if !isShared { acquired.put(LockNote(command: command, givesWay: givesWay)) }
        return acquired
      }
      let holder = LockNote.read(note, in: root.files) ?? ShardLock.holder(in: root.files)
      let usual = holder.map { $0.givesWay == true ? patience.holder : .zero }
      let wait = wait ?? usual ?? patience.note
      guard start.duration(to: .now) < wait else {
        throw LibraryLockError(root: root.files.path, holder: holder)
      }
      if place == nil && !givesWay { place = queueUp(root.files) }
      whileWaiting()
      try await Task.sleep(for: min(pause, wait))
    }
  }

  /// Writes the lock note.
  ///
  /// Errors are ignored, so that a command without changes also works on a full disk.
  private func put(_ note: LockNote) {
    do { try files.replace(Self.note, with: note.json()) } catch {
      // Otherwise other processes would read the lock note of an earlier holder as the lock note of
      // this process.
      try? files.remove(Self.note)
    }
  }

  /// True if a process has the lock of this output root.
  static func isHeld(in files: RealFileSystem) -> Bool {
    guard (try? files.status(at: file)) ?? nil != nil, let lock = try? files.openLock(file) else {
      return (try? files.open(file)).map { isLocked($0, against: LOCK_SH) } ?? false
    }
    return isLocked(lock, against: LOCK_EX)
  }

  /// True if another process has locked the file in a way that conflicts with the lock mode `way`.
  private static func isLocked(_ file: OpenFile, against way: Int32) -> Bool {
    file.withDescriptor { descriptor in
      guard flock(descriptor.rawValue, way | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
      _ = flock(descriptor.rawValue, LOCK_UN)
      return false
    }
  }

  /// Joins the queue, so that the holder sees a waiting process; nil if that is not possible now.
  private static func queueUp(_ files: RealFileSystem) -> OpenFile? {
    guard let place = try? files.openLock(queue),
      place.withDescriptor({ flock($0.rawValue, LOCK_SH | LOCK_NB) }) == 0
    else { return nil }
    return place
  }

  private static func leave(_ place: OpenFile?) {
    // A child process between its fork and its exec has the file open, too, so closing it is not
    // enough.
    _ = place?.withDescriptor { flock($0.rawValue, LOCK_UN) }
  }

  /// True if a process waits for the lock that does not itself release the lock for others.
  public var isWanted: Bool {
    trial.withLock { _ in
      guard (try? files.status(at: Self.queue)) ?? nil != nil,
        let place = try? files.openLock(Self.queue)
      else { return false }
      return Self.isLocked(place, against: LOCK_EX)
    }
  }

  private static func attempt(
    _ files: RealFileSystem, _ mode: Int32
  ) throws(FileSystemError) -> OpenFile? {
    let lock = try files.openLock(file)
    guard lock.withDescriptor({ flock($0.rawValue, mode | LOCK_NB) }) == 0 else {
      let failure = Errno(rawValue: errno)
      guard failure == .wouldBlock || failure == .interrupted else {
        throw FileSystemError(.lock, file, failure)
      }
      return nil
    }
    // If another process has removed the state folder, it has also removed this lock's file.
    let isCurrent =
      try files.status(at: file)?.identity.inode == files.status(of: lock).identity.inode
    return isCurrent ? lock : nil
  }

  /// Releases the lock now; otherwise the lock ends with the last reference to this object.
  public func release() {
    isReleased.withLock { isReleased in
      if isReleased { return }
      isReleased = true
      // The lock note is read only while a process has the lock, so a note that remains has no
      // effect.
      if !isShared { try? files.remove(Self.note) }
      // A child process between its fork and its exec has the file open, too, so closing it is not
      // enough.
      _ = lock.withDescriptor { flock($0.rawValue, LOCK_UN) }
    }
  }

  deinit { release() }
}

/// The error if another process is writing to the output root.
public struct LibraryLockError: UserError, Hashable {
  public let root: FilePath
  /// The holder of the lock; nil if it has written no lock note.
  public let holder: LockNote?

  public var message: String {
    guard let holder else { return "another run is using '\(root.displayed)'" }
    return """
      '\(root.displayed)' is in use by 'phbatch \(holder.command)', process \(holder.process) on \
      \(holder.host), since \(holder.started.ISO8601Format())
      """
  }

  public var hint: String { "wait until it ends, or use --wait SECONDS" }
}
