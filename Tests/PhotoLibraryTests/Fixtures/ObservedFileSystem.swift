import PhotoLibrary
import SystemPackage

/// A file system that reports each call before it is made, and lets the call fail on request.
struct ObservedFileSystem: FileSystem {
  private let files: RealFileSystem
  private let before: @Sendable (Call) -> Errno?

  enum Call: Hashable, Sendable {
    case create(FilePath)
    case open(FilePath)
    case read(FilePath)
    case write(FilePath)
    case setPermissions(FilePath)
    case synchronize(FilePath)
    case synchronizeFolder(FilePath)
    case rename(FilePath, FilePath, RenameMode)
    case link(FilePath, FilePath)
    case remove(FilePath)
    case createFolder(FilePath)
  }

  init(_ files: RealFileSystem, before: @escaping @Sendable (Call) -> Errno?) {
    self.files = files
    self.before = before
  }

  private func check(
    _ call: Call, _ kind: FileSystemError.Call, _ path: FilePath
  ) throws(FileSystemError) {
    if let failure = before(call) { throw FileSystemError(kind, path, failure) }
  }

  func create(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    try check(.create(path), .create, path)
    return try files.create(path)
  }
  func open(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    try check(.open(path), .open, path)
    return try files.open(path)
  }
  func openAtEnd(_ path: FilePath) throws(FileSystemError) -> OpenFile {
    try check(.open(path), .open, path)
    return try files.openAtEnd(path)
  }
  func read(_ file: OpenFile, at offset: Int64, count: Int) throws(FileSystemError) -> [UInt8] {
    try check(.read(file.path), .read, file.path)
    return try files.read(file, at: offset, count: count)
  }
  func write(_ bytes: [UInt8], to file: OpenFile) throws(FileSystemError) {
    try check(.write(file.path), .write, file.path)
    try files.write(bytes, to: file)
  }
  func setPermissions(
    _ permissions: FilePermissions, of file: OpenFile
  ) throws(FileSystemError) {
    try check(.setPermissions(file.path), .setPermissions, file.path)
    try files.setPermissions(permissions, of: file)
  }
  func startSynchronizing(_ file: OpenFile) { files.startSynchronizing(file) }
  func synchronize(_ file: OpenFile) throws(FileSystemError) {
    try check(.synchronize(file.path), .synchronize, file.path)
    try files.synchronize(file)
  }
  func synchronize(folder: FilePath) throws(FileSystemError) {
    try check(.synchronizeFolder(folder), .synchronize, folder)
    try files.synchronize(folder: folder)
  }
  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try files.status(of: file)
  }
  func status(at path: FilePath) throws(FileSystemError) -> FileStatus? {
    try files.status(at: path)
  }
  func names(in folder: FilePath) throws(FileSystemError) -> [FileName] {
    try files.names(in: folder)
  }
  func createFolder(
    _ path: FilePath, _ permissions: FilePermissions
  ) throws(FileSystemError) {
    try check(.createFolder(path), .create, path)
    try files.createFolder(path, permissions)
  }
  func rename(
    _ from: FilePath, to path: FilePath, _ mode: RenameMode
  ) throws(FileSystemError) {
    try check(.rename(from, path, mode), .rename, path)
    try files.rename(from, to: path, mode)
  }
  func link(_ from: FilePath, to path: FilePath) throws(FileSystemError) {
    try check(.link(from, path), .create, path)
    try files.link(from, to: path)
  }
  func remove(_ path: FilePath) throws(FileSystemError) {
    try check(.remove(path), .remove, path)
    try files.remove(path)
  }
  func removeFolder(_ path: FilePath) throws(FileSystemError) {
    try check(.remove(path), .remove, path)
    try files.removeFolder(path)
  }
  func lock(_ path: FilePath, _ mode: LockMode) throws(FileSystemError) -> OpenFile {
    try files.lock(path, mode)
  }
}
