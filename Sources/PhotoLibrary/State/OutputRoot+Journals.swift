public import SystemPackage

/// Files that commits left in the state folder.
extension OutputRoot {
  /// True if a commit is unfinished; the next run completes it first.
  public var hasPendingJournal: Bool { !pendingJournals.isEmpty }

  /// The paths of the journals of unfinished commits.
  private var pendingJournals: [FilePath] {
    let folder = JournalFolder<RealFileSystem>.path
    let names = (try? files.names(in: folder)) ?? []
    return names.filter { JournalFolder<RealFileSystem>.mark(of: $0) != nil }
      .compactMap { $0.component.map { folder.appending($0) } }
  }

  /// The journals of unfinished commits that another machine began, or that phbatch did not write;
  /// empty while a command is running.
  ///
  /// A recovery on this machine rejects them, so commands that write files end with an error.
  public var foreignJournals: [FilePath] {
    let paths = pendingJournals
    if paths.isEmpty || isInUse { return [] }
    let journals = JournalFolder(Saver(files: files, durability: .none))
    return paths.filter { path in
      do {
        _ = try journals.read(path)
        return false
      } catch {
        // The next recovery sets an illegible journal aside.
        return (error as? JournalFlaw) == .forged
      }
    }
  }

  /// Throws if a commit is unfinished that this machine cannot complete.
  public func checkJournals() throws(RecoveryError) {
    if let path = foreignJournals.first { throw .forged(path) }
  }

  /// True if a command that may change files is running.
  public var isInUse: Bool { LibraryLock.isHeld(in: files) }

  /// The commits that interrupted commands left unfinished, each with the state folder that has its
  /// journal, and with the way to complete it; empty while a command is running, except for commits
  /// of shards that are not running.
  ///
  /// Empty also if `foreignJournals` prevent a recovery.
  public var unfinishedCommits: [(folder: FilePath, text: String)] {
    let shards = ShardFolders.interruptions(of: self).map { shard in
      (folder: shard.folder, text: "\(shard.message); \(shard.hint)")
    }
    guard hasPendingJournal, !isInUse, foreignJournals.isEmpty else { return shards }
    let text = "a command was interrupted while it published files; the next run completes its work"
    return [(folder: Self.stateFolder, text: text)] + shards
  }

  /// The temporary files of commands that were interrupted, and of commands that are running now.
  public func stateLeftovers() throws(FileSystemError) -> [FilePath] {
    let found = try [Self.stateFolder, JournalFolder<RealFileSystem>.path].map(paths).joined()
    return found.filter { $0.extension == "tmp" }
  }

  /// The changes of unfinished commits.
  ///
  /// Journals that are illegible or not trustworthy are left out.
  public func pendingChanges() -> PendingChanges {
    let journals = JournalFolder(Saver(files: files, durability: .none))
    return PendingChanges(pendingJournals.compactMap { try? journals.read($0) })
  }

  /// The damaged journals, which recovery has set aside.
  public func damagedJournals() throws(FileSystemError) -> [FilePath] {
    let folder = JournalFolder<RealFileSystem>.path
    return try paths(in: folder).filter { $0.extension == JournalFolder<RealFileSystem>.damaged }
  }

  /// The unexpected files that commits moved to `conflictFolder`, at any depth.
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
