import Glibc
import Synchronization
import SystemPackage

/// The right to write to an output root, which one process has at a time.
///
/// It is a lock of the kernel (flock) on `.phbatch/run.lock`: it ends with the process, whatever ends
/// that. Neither the lock's file nor the note beside it means anything without it. No child inherits
/// it. On NFS it holds between machines, except with the mount option `local_lock`.
public final class LibraryLock: Sendable {
  static let file: FilePath = ".phbatch/run.lock"
  static let note: FilePath = ".phbatch/run.json"
  /// Locked together by all who wait for the other one, and want its holder to know.
  static let queue: FilePath = ".phbatch/wait.lock"
  private static let pause = Duration.milliseconds(100)
  /// For a holder that gives way, and for the note of one that has just begun: it is saved, which
  /// takes a busy disk a while.
  private static let patience = (holder: Duration.seconds(30), note: Duration.seconds(5))

  private let files: RealFileSystem
  private let lock: OpenFile
  private let isReleased = Mutex(false)
  /// Held while the queue is tried: two tries would take each other for somebody who waits.
  private let trial = Mutex(())

  private init(_ files: RealFileSystem, _ lock: OpenFile) {
    self.files = files
    self.lock = lock
  }

  /// Takes the lock of an output root that `OutputRoot.prepare` has seen to.
  ///
  /// The note says that this process runs `command`, such as `run web.json`, and whether it looks at
  /// `isWanted` and gives way. Another holder is waited for as long as `wait`, if that is nil only one
  /// that gives way, for half a minute; who still has it then is in the `LibraryLockError`. Who gives
  /// way wants it from nobody. Cancelling the task ends the wait; `whileWaiting` is called now and
  /// then.
  public static func acquire(
    _ root: OutputRoot, command: String, wait: Duration? = nil, givesWay: Bool = false,
    whileWaiting: () -> Void = {}
  ) async throws -> LibraryLock {
    let start = ContinuousClock.now
    var place: OpenFile?
    defer { leave(place) }
    while true {
      if let lock = try attempt(root.files) {
        let acquired = LibraryLock(root.files, lock)
        acquired.put(LockNote(command: command, givesWay: givesWay))
        return acquired
      }
      let holder = LockNote.read(note, in: root.files)
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

  /// Says who has the lock.
  ///
  /// A full disk keeps nobody from finding that nothing is to be done.
  private func put(_ note: LockNote) {
    do { try files.replace(Self.note, with: note.json()) } catch {
      // That of another holder would be believed.
      try? files.remove(Self.note)
    }
  }

  /// True if a process has the lock of an output root.
  static func isHeld(in files: RealFileSystem) -> Bool {
    (try? files.open(file)).map { isLocked($0, against: LOCK_SH) } ?? false
  }

  /// True if another process has locked a file, so that it cannot be locked in this way.
  private static func isLocked(_ file: OpenFile, against way: Int32) -> Bool {
    file.withDescriptor { descriptor in
      guard flock(descriptor.rawValue, way | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
      _ = flock(descriptor.rawValue, LOCK_UN)
      return false
    }
  }

  /// Lets the holder know that it is waited for; nil if that is not to be had, or not now.
  private static func queueUp(_ files: RealFileSystem) -> OpenFile? {
    guard let place = try? files.openLock(queue),
      place.withDescriptor({ flock($0.rawValue, LOCK_SH | LOCK_NB) }) == 0
    else { return nil }
    return place
  }

  private static func leave(_ place: OpenFile?) {
    // As in `release`.
    _ = place?.withDescriptor { flock($0.rawValue, LOCK_UN) }
  }

  /// True if a process waits for the lock that does not give way itself.
  public var isWanted: Bool {
    trial.withLock { _ in
      guard (try? files.status(at: Self.queue)) ?? nil != nil,
        let place = try? files.openLock(Self.queue)
      else { return false }
      return Self.isLocked(place, against: LOCK_EX)
    }
  }

  private static func attempt(_ files: RealFileSystem) throws(FileSystemError) -> OpenFile? {
    let lock = try files.openLock(file)
    guard lock.withDescriptor({ flock($0.rawValue, LOCK_EX | LOCK_NB) }) == 0 else {
      let failure = Errno(rawValue: errno)
      guard failure == .wouldBlock || failure == .interrupted else {
        throw FileSystemError(.lock, file, failure)
      }
      return nil
    }
    // A process that removed the state folder meanwhile has removed this lock's file with it.
    let isCurrent =
      try files.status(at: file)?.identity.inode == files.status(of: lock).identity.inode
    return isCurrent ? lock : nil
  }

  /// Gives the lock up now; without this it goes with the last who refers to it.
  public func release() {
    isReleased.withLock { isReleased in
      if isReleased { return }
      isReleased = true
      // The note is only read while there is a lock: one that stays behind is never believed.
      try? files.remove(Self.note)
      // Closing alone would leave the lock to a child between its fork and its exec.
      _ = lock.withDescriptor { flock($0.rawValue, LOCK_UN) }
    }
  }

  deinit { release() }
}
