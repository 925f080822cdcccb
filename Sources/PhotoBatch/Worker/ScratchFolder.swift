import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage

/// The folder of one worker's temporary files; it is removed when this object is released or the
/// process exits.
///
/// The folder is in `TMPDIR`, or else in `/var/tmp`, which is on a disk, while `/tmp` may be in
/// memory. The process that creates the folder holds a lock on it. A later run removes the unlocked
/// folders of killed runs.
final class ScratchFolder: Sendable {
  let path: String
  private let lock: Int32

  private static let prefix = "phbatch-scratch-"
  /// The age in seconds below which a folder is not removed, because it may not be locked yet.
  private static let settlingTime = 60

  /// The scratch folders that this process has created and not yet removed.
  private static let living = Mutex<Set<String>>([])

  init() throws(Errno) {
    _ = Self.swept
    _ = Self.endsWithProcess
    let made = Self.make(in: Self.parent)
    guard let made else { throw Errno(rawValue: errno) }
    path = made
    lock = Self.locked(made)
    _ = Self.living.withLock { $0.insert(made) }
  }

  deinit {
    _ = Self.living.withLock { $0.remove(path) }
    Self.remove(path)
    if lock >= 0 { close(lock) }
  }

  /// The folder that contains all scratch folders.
  static var parent: String {
    ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp"
  }

  private static func make(in parent: String) -> String? {
    var path = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
    return unsafe path.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start),
        let absolute = unsafe realpath(made, nil)
      else { return nil }
      defer { unsafe free(absolute) }
      return unsafe String(cString: absolute)
    }
  }

  /// Opens and locks a folder; the result is its descriptor, or negative if another process holds
  /// the lock or the folder cannot be opened.
  private static func locked(_ path: String) -> Int32 {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) != 0 {
      close(folder)
      return -1
    }
    return folder
  }

  private static func remove(_ path: String) {
    // A later run removes a folder that cannot be removed now.
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func removeLiving() {
    for path in living.withLock({ $0 }) { remove(path) }
  }

  private static let endsWithProcess: Void = {
    atexit { removeLiving() }
    at_quick_exit { removeLiving() }
  }()

  /// Removes the scratch folders of this user that no running process has locked.
  ///
  /// The removal runs once per process.
  private static let swept: Void = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      var status = stat()
      guard unsafe lstat(path, &status) == 0, status.st_uid == geteuid(),
        status.st_ctim.tv_sec + settlingTime < time(nil)
      else { continue }
      let lock = locked(path)
      guard lock >= 0 else { continue }
      remove(path)
      close(lock)
    }
  }()
}
