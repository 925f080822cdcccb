import Notation
import Synchronization
public import SystemPackage

/// Writes files under temporary names, then gives them their final names.
///
/// Either all files of a photo get their final names or none, even after a crash.
///
/// A commit is written to a journal before it begins, so that `recover` can complete the commit.
/// Each displaced file is compared with the expected file, and put back if it is another file. Thus
/// a file of another program always exists under some name.
///
/// Only the holder of the output root's `LibraryLock` may use a publisher.
///
/// - Source: the method of SQLite's rollback journal (sqlite.org/atomiccommit.html), with
///   renameat2(2) in place of writing pages.
public final class Publisher<Files: FileSystem>: Sendable {
  let files: Files
  let durability: Durability
  private let permissions: FilePermissions
  /// True if the trash of earlier runs is kept, because this run undoes a part of their changes.
  private let keepsTrash: Bool
  /// The folder of the journals, the trash, the ledger and the lock.
  public let place: CommitState
  /// The command, which the list of `undo` shows.
  private let command: String?
  let state = Mutex(State())

  struct State {
    /// The temporary files that this object uses.
    var staged: Set<FilePath> = []
    /// The number of the run in the trash; nil before the run's first commit.
    var run: Int?
    /// The number of commits of this run.
    var commits = 0
    /// True if this run has called `RenditionLedger.prepare`.
    var isLedgerReady = false
    /// True if the trash of earlier runs has been emptied.
    var isTrashEmpty = false
    /// True if a commit of this run could not be completed.
    var isUnfinished = false
    /// True if a damaged journal was set aside; it may need files with temporary names.
    var keepsLeftovers = false
  }

  /// Creates a publisher that gives every published file these permissions.
  public init(
    _ files: Files, durability: Durability = .batch, permissions: FilePermissions = .newFile,
    keepsTrash: Bool = false, command: String? = nil, state place: CommitState = .library
  ) {
    self.place = place
    self.keepsTrash = keepsTrash
    self.command = command
    self.files = files
    self.durability = durability
    self.permissions = permissions
  }

  var settlement: Settlement<Files> {
    Settlement(Saver(files: files, durability: durability), place)
  }
}

extension Publisher {
  /// Creates an empty file, open for reading and writing, that `publish` can move to any path on
  /// the same file system.
  ///
  /// `folder` should be the folder of the final name; it is created if missing.
  public func stage(in folder: FilePath) throws(FileSystemError) -> StagedFile<Files.File> {
    do throws(FileSystemError) { return try stageOnce(in: folder) } catch {
      // A commit may just have removed the empty folder, so the folder is created again.
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      return try stageOnce(in: folder)
    }
  }

  private func stageOnce(in folder: FilePath) throws(FileSystemError) -> StagedFile<Files.File> {
    try files.createFolders(folder)
    let path = folder.appending(place.temporaryName().component)
    // The name is recorded before the file is created, because `removeLeftovers` may run at any
    // time.
    state.withLock { _ = $0.staged.insert(path) }
    do throws(FileSystemError) {
      return StagedFile(path: path, file: try files.create(path))
    } catch {
      forget([path])
      throw error
    }
  }

  /// Removes a staged file that will not be published.
  ///
  /// Has no effect on a file that was passed to `publish`, whether it was published or not.
  public func discard(_ staged: StagedFile<Files.File>) throws(FileSystemError) {
    try discard(staged.path)
  }

  /// Removes the new files of a group that will not be published; files that cannot be removed now
  /// are removed by a later run.
  public func discard(_ group: PublicationGroup<Files.File>) {
    for new in group.inOrder.compactMap(\.new) { try? discard(new.path) }
  }

  private func discard(_ path: FilePath) throws(FileSystemError) {
    guard state.withLock({ $0.staged.contains(path) }) else { return }
    try files.remove(path)
    forget([path])
  }

  /// Saves and closes the new files of a group.
  ///
  /// Call this function if many groups wait for one commit, because not all of their files can stay
  /// open. After an error the files are unchanged, and still staged.
  public func saved(
    _ group: PublicationGroup<Files.File>
  ) throws(PublishingError) -> PublicationGroup<Files.File> {
    let preparation = Preparation(
      saver: settlement.saver, permissions: permissions, state: place)
    var saved = group
    for index in saved.renditions.indices {
      saved.renditions[index] = try preparation.saved(saved.renditions[index])
    }
    if let sidecar = saved.sidecar { saved.sidecar = try preparation.saved(sidecar) }
    return saved
  }

  /// Removes temporary files that this object does not use.
  ///
  /// Call this function only after `recover`, when no other run uses such files. Returns the number
  /// of removed files; 0 if an unfinished commit or a damaged journal may still need them.
  @discardableResult
  public func removeLeftovers(
    _ names: [FileName], in folder: FilePath
  ) throws(FileSystemError) -> Int {
    if state.withLock({ $0.keepsLeftovers || $0.isUnfinished }) { return 0 }
    var count = 0
    for name in names where place.owns(name) {
      guard let component = name.component else { continue }
      let path = folder.appending(component)
      guard !state.withLock({ $0.staged.contains(path) }) else { continue }
      do throws(FileSystemError) {
        try files.remove(path)
        count += 1
      } catch {
        guard error.errno == .noSuchFileOrDirectory else { throw error }
      }
    }
    return count
  }

  private func forget(_ paths: [FilePath]) { state.withLock { $0.staged.subtract(paths) } }
}

extension Publisher {
  /// Publishes the files of one photo; see the other `publish`.
  @discardableResult
  public func publish(
    _ group: PublicationGroup<Files.File>
  ) throws(PublishingError) -> [FileIdentity?] {
    var identities: [FileIdentity?] = []
    for result in publish([group]) { identities = try result.get() }
    return identities
  }

  /// Publishes the files of many photos in one commit, and returns when they would survive a power
  /// failure.
  ///
  /// The files of a photo change together. A photo that cannot be published stays as it was, and
  /// the others are published; if `isAtomic` is true, all stay as they were. No staged file keeps
  /// its temporary name, unless the commit is `unfinished`.
  ///
  /// - Returns: For each group the new identities of its files, in the order of the group; nil for
  ///   removed files.
  public func publish(
    _ groups: [PublicationGroup<Files.File>], isAtomic: Bool = false
  ) -> [Result<[FileIdentity?], PublishingError>] {
    var commit = GroupCommit(
      groups, isAtomic: isAtomic, permissions: permissions, settlement: settlement,
      state: place)
    commit.save()
    do throws(FileSystemError) {
      try files.createFolders(place.folder, permissions: .newStateFolder)
      let locks = try lockCommits()
      defer { withExtendedLifetime(locks) {} }
      if state.withLock({ $0.isUnfinished }) { try completeUnfinished() }
      commit.check()
      if commit.isDue {
        try prepareLedger()
        commit.carryOut(id: nextID(), run: try run())
        if commit.isDue { emptyTrash() }
        if !commit.isUnfinished { removeEmptyFolders(of: commit.removedFiles) }
      }
    } catch {
      commit.fail(.failed(error))
    }
    commit.discardUnpublished()
    if commit.isUnfinished {
      // The files that the journal names are in use until the commit is completed or taken back.
      state.withLock { $0.isUnfinished = true }
    } else {
      forget(groups.flatMap { $0.inOrder.compactMap(\.new?.path) })
    }
    return commit.results
  }

  /// Removes the folders that have become empty because these files were removed.
  private func removeEmptyFolders(of removed: [FilePath]) {
    for path in removed {
      var folder = path.removingLastComponent()
      // `removeFolder` fails if the folder is not empty, which ends the loop.
      while !folder.isEmpty, (try? files.removeFolder(folder)) != nil {
        folder = folder.removingLastComponent()
      }
    }
  }

  private func completeUnfinished() throws(FileSystemError) {
    do { _ = try recoverHoldingLocks() } catch let error as FileSystemError { throw error } catch {
      throw FileSystemError(.read, place.journals, .ioError)
    }
    state.withLock { $0.isUnfinished = false }
  }

  private func prepareLedger() throws(FileSystemError) {
    if state.withLock({ $0.isLedgerReady }) { return }
    try RenditionLedger(files, place).prepare()
    state.withLock { $0.isLedgerReady = true }
  }

  private func nextID() -> String {
    let number = state.withLock { state in
      state.commits += 1
      return state.commits
    }
    return "\(number.digits(8))-\(TemporaryName.number())"
  }

  /// The number of the run whose trash receives displaced files; the first commit creates it.
  private func run() throws(FileSystemError) -> Int {
    if let run = state.withLock({ $0.run }) { return run }
    let run = try Trash.begin(command, in: files, place)
    state.withLock { $0.run = run }
    return run
  }

  /// Removes from the trash the files of runs that are too old to be undone.
  ///
  /// The trash is emptied once, after this run has changed a file.
  private func emptyTrash() {
    if keepsTrash { return }
    let run = state.withLock { state in
      defer { state.isTrashEmpty = true }
      return state.isTrashEmpty ? nil : state.run
    }
    guard let run else { return }
    // A file that cannot be removed costs only space; the next run tries again.
    try? Trash.empty(before: run - Trash.mostRuns + 1, in: files)
  }
}
