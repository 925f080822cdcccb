import Glibc
public import SystemPackage

/// Where others ask a running watch to say when it has seen and done all that was before.
///
/// Each watch has a folder of its own in the state folder. Whoever asks puts a file there; the watch
/// hears of that after all that happened before, and removes the file when that is done.
/// - Source: the cookies of watchman (facebook.github.io/watchman/docs/cookies).
public struct SyncFolder: Sendable, Hashable {
  private static let parent = OutputRoot.stateFolder.appending("watches")
  private static let note: FilePath.Component = "watch.json"

  /// From the output root.
  public let path: FilePath

  /// Makes the folder of a watch, and removes those of watches that have ended.
  public static func create(
    in files: RealFileSystem, command: String
  ) throws -> SyncFolder {
    for folder in try all(in: files) where folder.note(in: files) == nil {
      folder.remove(in: files)
    }
    let folder = SyncFolder(path: parent.appending("\(getpid())-\(TemporaryName.number())"))
    try folder.prepare(in: files, command: command)
    return folder
  }

  /// Makes the folder if it is missing, as where somebody removed the state folder.
  ///
  /// - Returns: Whether it was.
  @discardableResult
  public func prepare(in files: RealFileSystem, command: String) throws -> Bool {
    if try files.status(at: path) != nil { return false }
    try files.createFolders(path, permissions: .newStateFolder)
    try files.replace(path.appending(Self.note), with: LockNote(command: command).json())
    return true
  }

  /// The questions that have no answer yet.
  public func questions(in files: RealFileSystem) -> [FilePath] {
    let names = (try? files.names(in: path)) ?? []
    return names.filter { $0.hasPrefix("sync-") }.compactMap(\.component).map(path.appending)
  }

  /// Says that all that was before a question is done.
  public static func answer(_ question: FilePath, in files: RealFileSystem) {
    // The process that asked may have given up.
    try? files.remove(question)
  }

  /// The folders of the watches that run.
  public static func running(in files: RealFileSystem) throws -> [SyncFolder] {
    try all(in: files).filter { $0.note(in: files) != nil }
  }

  public func ask(in files: RealFileSystem) throws(FileSystemError) -> FilePath {
    let question = path.appending("sync-\(getpid())-\(TemporaryName.number())")
    _ = try files.create(question)
    return question
  }

  /// True if the watch that was asked is running.
  public func isRunning(in files: RealFileSystem) -> Bool { note(in: files) != nil }

  /// Removes the folder of a watch that ends, or has ended.
  public func remove(in files: RealFileSystem) {
    // A file that cannot be removed is removed when the next watch begins.
    for name in (try? files.names(in: path)) ?? [] {
      if let component = name.component { try? files.remove(path.appending(component)) }
    }
    try? files.removeFolder(path)
  }

  private func note(in files: RealFileSystem) -> LockNote? {
    LockNote.read(path.appending(Self.note), in: files)
  }

  private static func all(in files: RealFileSystem) throws(FileSystemError) -> [SyncFolder] {
    guard try files.status(at: parent) != nil else { return [] }
    return try files.names(in: parent).compactMap(\.component).map {
      SyncFolder(path: parent.appending($0))
    }
  }
}
