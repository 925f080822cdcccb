import Glibc
import SystemPackage

/// The right to write to an output root, which one process has at a time.
///
/// It is a lock of the kernel (flock) on `.phbatch/run.lock`: it ends with the process, whatever ends
/// that. Neither the lock's file nor the note beside it means anything without it. No child inherits
/// it. On NFS it holds between machines, except with the mount option `local_lock`.
public final class LibraryLock: Sendable {
  static let file: FilePath = ".phbatch/run.lock"
  static let note: FilePath = ".phbatch/run.json"
  private static let pause = Duration.milliseconds(100)

  private let files: RealFileSystem
  private let lock: OpenFile

  private init(_ files: RealFileSystem, _ lock: OpenFile) {
    self.files = files
    self.lock = lock
  }

  /// Takes the lock of an output root that `OutputRoot.prepare` has seen to.
  ///
  /// The note says that this process runs `command`, such as `run web.json`. Another holder is waited
  /// for as long as `wait`, not at all if that is nil; who still has it then is in the
  /// `LibraryLockError`. Cancelling the task ends the wait; `whileWaiting` is called now and then.
  public static func acquire(
    _ root: OutputRoot, command: String, wait: Duration? = nil,
    whileWaiting: () -> Void = {}
  ) async throws -> LibraryLock {
    let start = ContinuousClock.now
    while true {
      if let lock = try attempt(root.files) {
        let acquired = LibraryLock(root.files, lock)
        acquired.leaveNote(command)
        return acquired
      }
      guard let wait, start.duration(to: .now) < wait else {
        throw LibraryLockError(root: root.files.path, holder: LockNote.read(note, in: root.files))
      }
      whileWaiting()
      try await Task.sleep(for: min(pause, wait))
    }
  }

  /// Says who has the lock.
  ///
  /// A full disk keeps nobody from finding that nothing is to be done.
  private func leaveNote(_ command: String) {
    do { try files.replace(Self.note, with: LockNote(command: command).json()) } catch {
      // That of another holder would be believed.
      try? files.remove(Self.note)
    }
  }

  /// Whether a process has the lock of an output root.
  static func isHeld(in files: RealFileSystem) -> Bool {
    guard let lock = try? files.open(file) else { return false }
    return lock.withDescriptor { descriptor in
      guard flock(descriptor.rawValue, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
      _ = flock(descriptor.rawValue, LOCK_UN)
      return false
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
    // Whoever removed the state folder meanwhile took this lock's file with it.
    let isCurrent =
      try files.status(at: file)?.identity.inode == files.status(of: lock).identity.inode
    return isCurrent ? lock : nil
  }

  deinit {
    // The note is only read while there is a lock: one that stays behind is never believed.
    try? files.remove(Self.note)
    // Closing alone would leave the lock to a child between its fork and its exec.
    _ = lock.withDescriptor { flock($0.rawValue, LOCK_UN) }
  }
}
