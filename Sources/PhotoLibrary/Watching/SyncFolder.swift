import Glibc
public import SystemPackage

/// The folder of a running watch in which other processes request a sync: they wait until the watch
/// has processed all earlier changes.
///
/// Each watch has its own such folder in the state folder. A process that requests a sync creates a
/// file there. The watch gets the event for this file after the events of all earlier changes, and
/// removes the file when these changes are processed.
/// - Source: the cookies of watchman (facebook.github.io/watchman/docs/cookies).
public struct SyncFolder: Sendable, Hashable {
  private static let parent = OutputRoot.stateFolder.appending("watches")
  private static let note: FilePath.Component = "watch.json"

  /// The path from the output root.
  public let path: FilePath

  /// Creates the folder of a watch that applies `recipe`, and removes the folders of watches that
  /// have ended.
  public static func create(
    in files: some FileSystem, command: String, recipe: String? = nil
  ) throws -> SyncFolder {
    for folder in try all(in: files) {
      // The names are listed before the record is checked, so that a record that another watch
      // writes later is not removed.
      let names = folder.names(in: files)
      if folder.note(in: files) == nil { folder.remove(names, in: files) }
    }
    let folder = SyncFolder(path: parent.appending("\(getpid())-\(TemporaryName.number())"))
    try folder.prepare(in: files, command: command, recipe: recipe)
    return folder
  }

  /// The records of other watches that apply `recipe`, with their folders.
  ///
  /// A watch on another machine may have ended without removing its record.
  public func rivals(
    applying recipe: String, in files: some FileSystem
  ) throws(FileSystemError) -> [(folder: FilePath, note: LockNote)] {
    try Self.all(in: files).filter { $0 != self }.compactMap { other in
      guard let note = other.note(in: files), note.recipe == recipe, !note.isOfThisProcess else {
        return nil
      }
      return (other.path, note)
    }
  }

  /// Replaces the record of a watch that now applies `recipe`.
  public func record(_ recipe: String, command: String, in files: some FileSystem) throws {
    try write(LockNote(command: command, recipe: recipe).json(), in: files)
  }

  /// Creates the folder and the record of this watch if they are missing, for example because a
  /// user removed the state folder.
  ///
  /// Another watch that starts may remove a folder without a record, because it looks like the
  /// folder of a watch that has ended; then the folder is created again.
  ///
  /// - Returns: True if it was missing.
  @discardableResult
  public func prepare(
    in files: some FileSystem, command: String, recipe: String? = nil
  ) throws -> Bool {
    if try files.status(at: path) != nil { return false }
    let note = try LockNote(command: command, recipe: recipe).json()
    for _ in 1..<Self.mostAttempts {
      do throws(FileSystemError) {
        try write(note, in: files)
        return true
      } catch {
        guard error.errno == .noSuchFileOrDirectory else { throw error }
      }
    }
    try write(note, in: files)
    return true
  }

  /// The maximum number of attempts; more than the number of watches that start at the same time.
  private static let mostAttempts = 1000

  private func write(_ note: [UInt8], in files: some FileSystem) throws(FileSystemError) {
    try files.createFolders(path, permissions: .newStateFolder)
    try files.replace(path.appending(Self.note), with: note)
  }

  /// The request files of processes that wait for an answer.
  public func questions(in files: RealFileSystem) -> [FilePath] {
    let names = (try? files.names(in: path)) ?? []
    return names.filter { $0.hasPrefix("sync-") }.compactMap(\.component).map(path.appending)
  }

  /// Removes a request file, by which the waiting process learns that all earlier changes are
  /// processed.
  public static func answer(_ question: FilePath, in files: RealFileSystem) {
    // An error is ignored, because the waiting process may have ended its wait and removed the
    // file.
    try? files.remove(question)
  }

  /// The folders of running watches.
  public static func running(in files: RealFileSystem) throws -> [SyncFolder] {
    try all(in: files).filter { $0.note(in: files) != nil }
  }

  public func ask(in files: RealFileSystem) throws(FileSystemError) -> FilePath {
    let question = path.appending("sync-\(getpid())-\(TemporaryName.number())")
    _ = try files.create(question)
    return question
  }

  /// True if the watch of this folder is running.
  public func isRunning(in files: RealFileSystem) -> Bool { note(in: files) != nil }

  /// Removes the sync folder that a watch created; the watch ends now, or has ended.
  public func remove(in files: some FileSystem) { remove(names(in: files), in: files) }

  private func names(in files: some FileSystem) -> [FileName] {
    (try? files.names(in: path)) ?? []
  }

  private func remove(_ names: [FileName], in files: some FileSystem) {
    // A file that cannot be removed is removed when the next watch begins.
    for name in names {
      if let component = name.component { try? files.remove(path.appending(component)) }
    }
    try? files.removeFolder(path)
  }

  private func note(in files: some FileSystem) -> LockNote? {
    LockNote.read(path.appending(Self.note), in: files)
  }

  private static func all(in files: some FileSystem) throws(FileSystemError) -> [SyncFolder] {
    guard try files.status(at: parent) != nil else { return [] }
    return try files.names(in: parent).compactMap(\.component).map {
      SyncFolder(path: parent.appending($0))
    }
  }
}
