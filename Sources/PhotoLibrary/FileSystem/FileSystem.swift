public import SystemPackage

/// The calls that publishing and recovery consist of.
///
/// All paths are relative to one root and never lead out of it; the empty path is the root. Those of
/// `RealFileSystem` end in the kernel. The protocol is the place to put a model in between that
/// loses what was not synchronized, or a call that fails.
public protocol FileSystem: Sendable {
  associatedtype File: Sendable

  /// Makes a new empty file that only its owner may read and write, open for both.
  ///
  /// - Throws: `.fileExists` if anything has that name.
  func create(_ path: FilePath) throws(FileSystemError) -> File

  /// Opens a regular file for reading.
  func open(_ path: FilePath) throws(FileSystemError) -> File

  /// Reads up to `count` bytes from `offset`, fewer only at the end of the file.
  func read(_ file: File, at offset: Int64, count: Int) throws(FileSystemError) -> [UInt8]

  /// Writes after what was written to this file before.
  func write(_ bytes: [UInt8], to file: File) throws(FileSystemError)

  func setPermissions(_ permissions: FilePermissions, of file: File) throws(FileSystemError)

  /// Begins what `synchronize` waits for; only to save time.
  func startSynchronizing(_ file: File)

  /// Returns when the bytes of the file would survive a power failure.
  ///
  /// After an error they are lost even if a second call succeeds: the file must be written anew.
  func synchronize(_ file: File) throws(FileSystemError)

  /// Returns when the names in this folder would survive a power failure.
  func synchronize(folder: FilePath) throws(FileSystemError)

  func status(of file: File) throws(FileSystemError) -> FileStatus

  /// The status of this name, without following a symbolic link; nil if nothing has the name.
  func status(at path: FilePath) throws(FileSystemError) -> FileStatus?

  /// The names in a folder, sorted by their bytes.
  func names(in folder: FilePath) throws(FileSystemError) -> [FileName]

  /// Makes one folder, with what the umask leaves of the permissions.
  ///
  /// - Throws: `.fileExists` if anything has that name.
  func createFolder(
    _ path: FilePath, _ permissions: FilePermissions
  ) throws(FileSystemError)

  /// Gives a file a new name.
  ///
  /// - Throws: `.invalidArgument` where the file system knows only `.replacing`.
  func rename(_ from: FilePath, to path: FilePath, _ mode: RenameMode) throws(FileSystemError)

  /// Gives a file a second name.
  ///
  /// - Throws: `.fileExists` if anything has that name.
  func link(_ from: FilePath, to path: FilePath) throws(FileSystemError)

  /// Removes a file, or the name of one that is still open.
  func remove(_ path: FilePath) throws(FileSystemError)

  /// Removes an empty folder.
  func removeFolder(_ path: FilePath) throws(FileSystemError)

  /// Waits until no other process or thread holds the lock of this file, which is made if missing;
  /// the lock ends with the last reference to the result.
  func lock(_ path: FilePath) throws(FileSystemError) -> File
}

/// The treatment of a file that already has the new name.
public enum RenameMode: Sendable {
  /// It is gone.
  case replacing
  /// It stays, and the call fails with `.fileExists`.
  case keeping
  /// It takes the old name; there must be one.
  case exchanging
}

extension FileSystem {
  /// Reads a whole file of at most `limit` bytes.
  ///
  /// - Throws: `.fileTooLarge` above that.
  public func read(_ path: FilePath, limit: Int) throws(FileSystemError) -> [UInt8] {
    let bytes = try read(open(path), at: 0, count: limit + 1)
    guard bytes.count <= limit else { throw FileSystemError(.read, path, .fileTooLarge) }
    return bytes
  }

  /// Makes one folder, as any other program would.
  public func createFolder(_ path: FilePath) throws(FileSystemError) {
    try createFolder(path, .newFolder)
  }

  /// Makes a folder and those above it, as far as they are missing, so that they survive a power
  /// failure.
  public func createFolders(
    _ path: FilePath, permissions: FilePermissions = .newFolder
  ) throws(FileSystemError) {
    guard !path.isEmpty, try status(at: path)?.kind != .directory else { return }
    let parent = path.removingLastComponent()
    try createFolders(parent, permissions: permissions)
    do throws(FileSystemError) {
      try createFolder(path, permissions)
    } catch {
      let found = try status(at: path)
      guard error.errno == .fileExists, found?.kind == .directory else { throw error }
      return
    }
    try synchronize(folder: parent)
  }
}
