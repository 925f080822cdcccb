import Dispatch
import Glibc
import Synchronization
import SystemCalls
public import SystemPackage

/// The files below one root folder.
///
/// The root's descriptor stays open, so renaming that folder has no effect.
///
/// The kernel resolves every path beneath the root and follows no symbolic link.
public struct RealFileSystem: FileSystem {
  public typealias File = OpenFile

  /// The path of the root as the caller gave it, for messages.
  public let path: FilePath
  public let root: OpenFile

  /// Opens the root; `path` itself may be a symbolic link.
  public init(root path: FilePath) throws(FileSystemError) {
    let descriptor = unsafe path.withPlatformString { path in
      unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard descriptor >= 0 else { throw FileSystemError(.open, path, Errno(rawValue: errno)) }
    self.path = path
    root = OpenFile(FileDescriptor(rawValue: descriptor), path)
  }

  /// Creates the folder `path`, but not the folders above; has no effect if the path exists
  /// already.
  static func createRoot(_ path: FilePath) throws(FileSystemError) {
    let result = unsafe path.withPlatformString { unsafe mkdir($0, 0o777) == 0 ? 0 : errno }
    guard result == 0 || result == EEXIST else {
      throw FileSystemError(.create, path, Errno(rawValue: result))
    }
  }

  /// Opens an empty folder in place of the root `path`, which is missing and must stay so.
  ///
  /// The folder is a temporary one that is removed at once: its descriptor stays valid, and no file
  /// can be created in it. It is in `TMPDIR`, or else in the first system folder that allows it.
  init(missingRoot path: FilePath) throws(FileSystemError) {
    let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    let parents = [named, "/var/tmp", "/tmp"].filter { !$0.isEmpty }
    let opened = parents.lazy.map { Self.openRemovedFolder(in: $0) }.first { $0 >= 0 }
    guard let opened else { throw FileSystemError(.create, "/tmp", Errno(rawValue: errno)) }
    self.path = path
    root = OpenFile(FileDescriptor(rawValue: opened), path)
  }

  /// Creates a folder in `parent`, opens and removes it; a negative number if that is impossible.
  private static func openRemovedFolder(in parent: String) -> Int32 {
    var template = Array("\(parent)/phbatch-XXXXXX".utf8CString)
    return unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, let folder = unsafe mkdtemp(start) else { return -1 }
      defer { unsafe rmdir(folder) }
      return unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
  }

  func openFolder(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    try openBeneath(path, O_RDONLY | O_DIRECTORY, .open)
  }

  /// Opens a file to be locked, and creates it if it is missing.
  package func openLock(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    try openBeneath(
      path, O_RDWR | O_CREAT | O_NOFOLLOW, .create, [.ownerReadWrite, .groupRead, .otherRead])
  }

  private func openBeneath(
    _ path: FilePath, _ flags: Int32, _ call: FileSystemError.Call,
    _ permissions: FilePermissions = []
  ) throws(FileSystemError) -> OpenFile {
    let resolved = path.isEmpty ? "." : path
    let descriptor = unsafe resolved.withPlatformString { path in
      root.withDescriptor { root in
        unsafe phbatch_open_beneath(root.rawValue, path, flags, permissions.rawValue)
      }
    }
    guard descriptor >= 0 else { throw FileSystemError(call, path, Errno(rawValue: -descriptor)) }
    return OpenFile(FileDescriptor(rawValue: descriptor), path)
  }

  /// Opens the folder that contains `path`, and calls `body` with the folder's descriptor and the
  /// last component of `path`.
  ///
  /// `body` returns a negated error number, or the result to return.
  private func inFolder(
    of path: FilePath, _ call: FileSystemError.Call,
    _ body: (FileDescriptor, UnsafePointer<CChar>) -> Int32
  ) throws(FileSystemError) -> Int32 {
    guard let name = path.lastComponent, name.kind == .regular else {
      throw FileSystemError(call, path, .invalidArgument)
    }
    let folder: OpenFile
    do throws(FileSystemError) {
      folder = try openFolder(path.removingLastComponent())
    } catch {
      throw FileSystemError(call, path, error.errno)
    }
    let result = unsafe name.withPlatformString { name in
      folder.withDescriptor { unsafe body($0, name) }
    }
    guard result >= 0 else { throw FileSystemError(call, path, Errno(rawValue: -result)) }
    return result
  }

  public func create(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    try openBeneath(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, .create, .ownerReadWrite)
  }

  public func open(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    // With O_NONBLOCK, opening a FIFO does not wait for a writer. Only the file's owner may use
    // O_NOATIME, so the second attempt omits it.
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let file: OpenFile
    do throws(FileSystemError) {
      file = try openBeneath(path, flags | phbatch_no_access_time, .open)
    } catch {
      guard error.errno == .notPermitted else { throw error }
      file = try openBeneath(path, flags, .open)
    }
    switch try status(of: file).kind {
    case .regular: return file
    case .directory: throw FileSystemError(.open, path, .isDirectory)
    case .symbolicLink, .other: throw FileSystemError(.open, path, .notSupported)
    }
  }

  /// Opens a folder, of which `read(_:in:limit:)` reads files.
  public func openForReading(_ folder: FilePath) throws(FileSystemError) -> OpenFile {
    try openFolder(folder)
  }

  /// Returns all bytes of a regular file in an open folder; quicker than by the file's path.
  ///
  /// - Throws: `fileTooLarge` if the file has more than `limit` bytes.
  public func read(
    _ name: FileName, in folder: OpenFile, limit: Int
  ) throws(FileSystemError) -> [UInt8] {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let text = name.bytes.map(CChar.init(bitPattern:)) + [0]
    // Only the file's owner may use O_NOATIME; see `open`.
    var descriptor = folder.withDescriptor {
      unsafe openat($0.rawValue, text, flags | phbatch_no_access_time)
    }
    if descriptor < 0 && errno == EPERM {
      descriptor = folder.withDescriptor { unsafe openat($0.rawValue, text, flags) }
    }
    guard descriptor >= 0 else {
      throw FileSystemError(.open, folder.path, Errno(rawValue: errno))
    }
    let file = OpenFile(FileDescriptor(rawValue: descriptor), folder.path)
    guard try status(of: file).kind == .regular else {
      throw FileSystemError(.open, folder.path, .notSupported)
    }
    let bytes = try read(file, at: 0, count: limit + 1)
    guard bytes.count <= limit else {
      throw FileSystemError(.read, folder.path, .fileTooLarge)
    }
    return bytes
  }

  public func openAtEnd(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    try openBeneath(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK, .open)
  }

  public func read(
    _ file: OpenFile, at offset: Int64, count: Int
  ) throws(FileSystemError) -> [UInt8] {
    let rest = try status(of: file).identity.size - offset
    var bytes = [UInt8](repeating: 0, count: min(count, Int(max(rest, 0)) + 1))
    do throws(Errno) {
      let filled = try file.read(into: &bytes, at: Int(offset))
      bytes.removeSubrange(filled...)
      return bytes
    } catch { throw FileSystemError(.read, file.path, error) }
  }

  public func write(_ bytes: [UInt8], to file: OpenFile) throws(FileSystemError) {
    do throws(Errno) { try file.write(bytes) } catch {
      throw FileSystemError(.write, file.path, error)
    }
  }

  public func setPermissions(
    _ permissions: FilePermissions, of file: OpenFile
  ) throws(FileSystemError) {
    guard file.withDescriptor({ fchmod($0.rawValue, permissions.rawValue) }) == 0 else {
      throw FileSystemError(.setPermissions, file.path, Errno(rawValue: errno))
    }
  }

  public func startSynchronizing(_ file: OpenFile) {
    // An error is ignored, because it means only that `synchronize` has more to write.
    _ = file.withDescriptor { phbatch_start_writing($0.rawValue) }
  }

  public func synchronize(_ file: OpenFile) throws(FileSystemError) {
    guard file.withDescriptor({ fsync($0.rawValue) }) == 0 else {
      throw FileSystemError(.synchronize, file.path, Errno(rawValue: errno))
    }
  }

  /// The number of files that are synchronized at the same time.
  ///
  /// Each call waits until the disk has emptied its cache, and the kernel makes one wait of several
  /// calls. With 4 calls, 128 new files take a seventh of the time on ext4; more calls take no less.
  private static let lanes = 4

  public func synchronize(_ files: [OpenFile]) -> [FileSystemError?] {
    let results = Mutex([FileSystemError?](repeating: nil, count: files.count))
    let group = DispatchGroup()
    for lane in 0..<min(Self.lanes, files.count) {
      // Only serial queues have threads of their own; the calls block them.
      DispatchQueue(label: "phbatch.synchronize").async(group: group) {
        for index in stride(from: lane, to: files.count, by: Self.lanes) {
          do throws(FileSystemError) { try synchronize(files[index]) } catch {
            let failure = error
            results.withLock { $0[index] = failure }
          }
        }
      }
    }
    group.wait()
    return results.withLock { $0 }
  }

  public func synchronize(folder: FilePath) throws(FileSystemError) {
    guard try openFolder(folder).withDescriptor({ fsync($0.rawValue) }) == 0 else {
      let failure = Errno(rawValue: errno)
      // Some file systems, such as NFS, do not support this call; they keep changes of names in
      // order without it.
      guard failure != .invalidArgument else { return }
      throw FileSystemError(.synchronize, folder, failure)
    }
  }

  public func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    do throws(Errno) {
      return try file.withDescriptor { file throws(Errno) in
        try unsafe FileStatus(of: "", in: file)
      }
    } catch { throw FileSystemError(.describe, file.path, error) }
  }

  public func status(at path: FilePath) throws(FileSystemError) -> FileStatus? {
    if path.isEmpty { return try status(of: root) }
    var status: FileStatus?
    do throws(FileSystemError) {
      _ = try unsafe inFolder(of: path, .describe) { folder, name in
        do throws(Errno) {
          status = try unsafe FileStatus(of: name, in: folder)
          return 0
        } catch { return -error.rawValue }
      }
    } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      return nil
    }
    return status
  }

  public func names(in folder: FilePath) throws(FileSystemError) -> [FileName] {
    let opened = try openFolder(folder)
    do throws(Errno) { return try opened.entries().map(\.name) } catch {
      throw FileSystemError(.list, folder, error)
    }
  }

  public func createFolder(
    _ path: FilePath, _ permissions: FilePermissions
  ) throws(FileSystemError) {
    _ = try unsafe inFolder(of: path, .create) { folder, name in
      unsafe mkdirat(folder.rawValue, name, permissions.rawValue) == 0 ? 0 : -errno
    }
  }

  public func rename(
    _ from: FilePath, to path: FilePath, _ mode: RenameMode
  ) throws(FileSystemError) {
    let kernelMode =
      switch mode {
      case .replacing: phbatch_rename_replace
      case .keeping: phbatch_rename_keep
      case .exchanging: phbatch_rename_exchange
      }
    try unsafe inFolders(of: from, and: path, .rename) { fromFolder, fromName, folder, name in
      unsafe phbatch_rename(
        fromFolder.rawValue, fromName, folder.rawValue, name, kernelMode)
    }
  }

  public func link(_ from: FilePath, to path: FilePath) throws(FileSystemError) {
    try unsafe inFolders(of: from, and: path, .create) { fromFolder, fromName, folder, name in
      unsafe linkat(fromFolder.rawValue, fromName, folder.rawValue, name, 0) == 0 ? 0 : -errno
    }
  }

  private func inFolders(
    of from: FilePath, and path: FilePath, _ call: FileSystemError.Call,
    _ body: (FileDescriptor, UnsafePointer<CChar>, FileDescriptor, UnsafePointer<CChar>) -> Int32
  ) throws(FileSystemError) {
    _ = try unsafe inFolder(of: path, call) { folder, name in
      do throws(FileSystemError) {
        return try unsafe inFolder(of: from, call) { fromFolder, fromName in
          unsafe body(fromFolder, fromName, folder, name)
        }
      } catch { return -error.errno.rawValue }
    }
  }

  public func remove(_ path: FilePath) throws(FileSystemError) {
    _ = try unsafe inFolder(of: path, .remove) { folder, name in
      unsafe unlinkat(folder.rawValue, name, 0) == 0 ? 0 : -errno
    }
  }
  public func removeFolder(_ path: FilePath) throws(FileSystemError) {
    _ = try unsafe inFolder(of: path, .remove) { folder, name in
      unsafe unlinkat(folder.rawValue, name, AT_REMOVEDIR) == 0 ? 0 : -errno
    }
  }

  public func lock(_ path: FilePath, _ mode: LockMode) throws(FileSystemError) -> OpenFile {
    let file = try openLock(path)
    let operation = mode == .shared ? LOCK_SH : LOCK_EX
    while file.withDescriptor({ flock($0.rawValue, operation) }) != 0 {
      let failure = Errno(rawValue: errno)
      guard failure == .interrupted else { throw FileSystemError(.lock, path, failure) }
    }
    return file
  }
}

extension RealFileSystem {
  /// True if a process has the file open for writing; nil if that is unknown, for example for
  /// writers on another machine or another user's file.
  public func isBeingWritten(_ path: FilePath) -> Bool? {
    guard let file = try? open(path) else { return nil }
    switch file.withDescriptor({ phbatch_has_writer($0.rawValue) }) {
    case 0: return false
    case 1: return true
    default: return nil
    }
  }
}
