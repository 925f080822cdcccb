public import SystemPackage

/// Files that commits left in the state folder.
extension OutputRoot {
  /// True if a commit is unfinished; the next run completes it first.
  public var hasPendingJournal: Bool {
    let names = try? files.names(in: JournalFolder<RealFileSystem>.path)
    return names?.contains { JournalFolder<RealFileSystem>.mark(of: $0) != nil } ?? false
  }

  /// Temporary files of commands that were cut off; those of one that is under way are among them.
  public func stateLeftovers() throws(FileSystemError) -> [FilePath] {
    let found = try [Self.stateFolder, JournalFolder<RealFileSystem>.path].map(paths).joined()
    return found.filter { $0.extension == "tmp" }
  }

  /// The changes of commits that were begun and not ended; those of journals that cannot be read, or
  /// are not believed, are not known.
  public func pendingChanges() -> PendingChanges {
    let journals = JournalFolder(Saver(files: files, durability: .none))
    let folder = JournalFolder<RealFileSystem>.path
    let names = (try? files.names(in: folder)) ?? []
    let found = names.filter { JournalFolder<RealFileSystem>.mark(of: $0) != nil }
      .compactMap { $0.component.map { folder.appending($0) } }
    return PendingChanges(found.compactMap { try? journals.read($0) })
  }

  /// The journals that could not be read, and were set aside.
  public func damagedJournals() throws(FileSystemError) -> [FilePath] {
    let folder = JournalFolder<RealFileSystem>.path
    return try paths(in: folder).filter { $0.extension == JournalFolder<RealFileSystem>.damaged }
  }

  /// The files that commits met where they expected none, wherever they lie below
  /// `conflictFolder`.
  public func parkedFiles() throws(FileSystemError) -> [FilePath] {
    var found: [FilePath] = []
    var waiting = [Self.conflictFolder]
    while let folder = waiting.popLast() {
      for path in try paths(in: folder) {
        let isFolder = try files.status(at: path)?.kind == .directory
        if isFolder { waiting.append(path) } else { found.append(path) }
      }
    }
    return found
  }

  /// The paths in a folder; empty if there is no folder.
  private func paths(in folder: FilePath) throws(FileSystemError) -> [FilePath] {
    guard try files.status(at: folder) != nil else { return [] }
    return try files.names(in: folder).compactMap { $0.component.map { folder.appending($0) } }
  }
}
