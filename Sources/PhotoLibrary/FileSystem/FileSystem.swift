public import SystemPackage

/// The file system calls that publishing and recovery use.
///
/// All paths are relative to one root and never lead out of it; the empty path is the root.
/// `RealFileSystem` passes the calls to the kernel. Tests use other implementations, for example
/// one that loses unsynchronized data or lets a call fail.
public protocol FileSystem: Sendable {
  associatedtype File: Sendable

  /// Creates a new empty file that only its owner may read and write, and opens it for both.
  ///
  /// - Throws: `.fileExists` if a file or folder has that name.
  func create(_ path: FilePath) throws(FileSystemError) -> File

  /// Opens a regular file for reading.
  func open(_ path: FilePath) throws(FileSystemError) -> File

  /// Opens an existing regular file; `write` appends to its bytes.
  func openAtEnd(_ path: FilePath) throws(FileSystemError) -> File

  /// Reads up to `count` bytes from `offset`, fewer only at the end of the file.
  func read(_ file: File, at offset: Int64, count: Int) throws(FileSystemError) -> [UInt8]

  /// Appends bytes to those already written to this file.
  func write(_ bytes: [UInt8], to file: File) throws(FileSystemError)

  func setPermissions(_ permissions: FilePermissions, of file: File) throws(FileSystemError)

  /// Starts to write the file's bytes to disk, so that a later `synchronize` takes less time.
  func startSynchronizing(_ file: File)

  /// Returns when the bytes of the file would survive a power failure.
  ///
  /// After an error the bytes are lost even if a second call succeeds: the file must be written
  /// again.
  func synchronize(_ file: File) throws(FileSystemError)

  /// Returns when the bytes of all these files would survive a power failure, with the error of each
  /// file that has one.
  func synchronize(_ files: [File]) -> [FileSystemError?]

  /// Returns when the added, removed and changed names in this folder would survive a power
  /// failure.
  func synchronize(folder: FilePath) throws(FileSystemError)

  func status(of file: File) throws(FileSystemError) -> FileStatus

  /// The status of the file with this name, without following a symbolic link; nil if no file has
  /// the name.
  func status(at path: FilePath) throws(FileSystemError) -> FileStatus?

  /// The names in a folder, sorted by their bytes.
  func names(in folder: FilePath) throws(FileSystemError) -> [FileName]

  /// Creates one folder. The umask reduces the permissions.
  ///
  /// - Throws: `.fileExists` if a file or folder has that name.
  func createFolder(
    _ path: FilePath, _ permissions: FilePermissions
  ) throws(FileSystemError)

  /// Gives a file a new name.
  ///
  /// - Throws: `.invalidArgument` if `mode` is not `.replacing` and the file system does not
  ///   support it.
  func rename(_ from: FilePath, to path: FilePath, _ mode: RenameMode) throws(FileSystemError)

  /// Gives a file a second name.
  ///
  /// - Throws: `.fileExists` if a file or folder has that name.
  func link(_ from: FilePath, to path: FilePath) throws(FileSystemError)

  /// Removes the name of a file. A file that is open stays readable until it is closed.
  func remove(_ path: FilePath) throws(FileSystemError)

  /// Removes an empty folder.
  func removeFolder(_ path: FilePath) throws(FileSystemError)

  /// Creates the lock file if it is missing, and waits until no other process or thread holds its
  /// lock, or, for a shared lock, until none holds it exclusively. The lock ends with the last
  /// reference to the result.
  func lock(_ path: FilePath, _ mode: LockMode) throws(FileSystemError) -> File
}

/// Determines whether several processes can hold a lock at the same time.
public enum LockMode: Sendable {
  case exclusive
  case shared
}

/// Determines how a rename treats a file that already has the new name.
public enum RenameMode: Sendable {
  /// The rename removes the existing file.
  case replacing
  /// The existing file stays, and the rename fails with `.fileExists`.
  case keeping
  /// The two files exchange their names.
  ///
  /// The rename fails if no file has the new name.
  case exchanging
}

extension FileSystem {
  public func synchronize(_ files: [File]) -> [FileSystemError?] {
    files.map { file in
      do throws(FileSystemError) { try synchronize(file) } catch { return error }
      return nil
    }
  }

  /// Reads a whole file of at most `limit` bytes.
  ///
  /// - Throws: `.fileTooLarge` for a larger file.
  public func read(_ path: FilePath, limit: Int) throws(FileSystemError) -> [UInt8] {
    let bytes = try read(open(path), at: 0, count: limit + 1)
    guard bytes.count <= limit else { throw FileSystemError(.read, path, .fileTooLarge) }
    return bytes
  }

  /// Creates one folder with the usual permissions of new folders.
  public func createFolder(_ path: FilePath) throws(FileSystemError) {
    try createFolder(path, .newFolder)
  }

  /// Creates a folder and all missing folders above it, so that they survive a power failure.
  ///
  /// - Throws: `.tooManySymbolicLinkLevels` or `.notDirectory` if a link or file is in its place.
  public func createFolders(
    _ path: FilePath, permissions: FilePermissions = .newFolder
  ) throws(FileSystemError) {
    guard !path.isEmpty, try status(at: path)?.kind != .directory else { return }
    let parent = path.removingLastComponent()
    try createFolders(parent, permissions: permissions)
    do throws(FileSystemError) {
      try createFolder(path, permissions)
    } catch {
      guard error.errno == .fileExists, let found = try status(at: path) else { throw error }
      switch found.kind {
      case .directory: return
      case .symbolicLink: throw FileSystemError(.create, path, .tooManySymbolicLinkLevels)
      case .regular, .other: throw FileSystemError(.create, path, .notDirectory)
      }
    }
    try synchronize(folder: parent)
  }
}
