import Synchronization
public import SystemPackage

/// Writes files under names of their own, then gives them those they are meant to have: the files of
/// a photo all or none, whatever happens meanwhile.
///
/// A commit is written to a journal before it begins, so that `recover` can complete it. What is
/// displaced is compared with what was expected after it was displaced, and put back if it is
/// another file: no instant is left in which somebody else's file would be lost.
///
/// Only for the holder of the `LibraryLock` of the output root.
/// - Source: the shape is that of SQLite's rollback journal (sqlite.org/atomiccommit.html), with
///   renameat2(2) in place of writing pages.
public final class Publisher<Files: FileSystem>: Sendable {
  let files: Files
  let durability: Durability
  private let permissions: FilePermissions
  let state = Mutex(State())

  struct State {
    /// The temporary names that this object has in use.
    var staged: Set<FilePath> = []
    /// The number of the run in the trash, from its first commit on.
    var run: Int?
    /// Commits of this run.
    var commits = 0
    /// True if the trash of earlier runs has been emptied.
    var isTrashEmpty = false
    /// True if a commit of this run could not be completed.
    var isUnfinished = false
    /// True if a journal was set aside that may need files with temporary names.
    var keepsLeftovers = false
  }

  static var lock: FilePath { ".phbatch/commit.lock" }

  /// Gives these permissions to every file it publishes.
  public init(
    _ files: Files, durability: Durability = .batch, permissions: FilePermissions = .newFile
  ) {
    self.files = files
    self.durability = durability
    self.permissions = permissions
  }

  var settlement: Settlement<Files> { Settlement(Saver(files: files, durability: durability)) }
}

extension Publisher {
  /// Makes an empty file, open for reading and writing, that `publish` can put anywhere on the same
  /// file system; best in the folder of its final name, which is made if missing.
  public func stage(in folder: FilePath) throws(FileSystemError) -> StagedFile<Files.File> {
    try files.createFolders(folder)
    let path = folder.appending(TemporaryName().component)
    // First in use, then there: `removeLeftovers` may run at any time.
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
  /// Does nothing to one that was given to `publish`, whatever came of it.
  public func discard(_ staged: StagedFile<Files.File>) throws(FileSystemError) {
    try discard(staged.path)
  }

  /// Removes the new files of a group that will not be published; what cannot be removed now is
  /// removed by a later run.
  public func discard(_ group: PublicationGroup<Files.File>) {
    for new in group.inOrder.compactMap(\.new) { try? discard(new.path) }
  }

  private func discard(_ path: FilePath) throws(FileSystemError) {
    guard state.withLock({ $0.staged.contains(path) }) else { return }
    try files.remove(path)
    forget([path])
  }

  /// Saves and closes the new files of a group that waits to be published with so many others that
  /// not all of them can stay open.
  ///
  /// The files stay staged if it throws, as they were.
  public func saved(
    _ group: PublicationGroup<Files.File>
  ) throws(PublishingError) -> PublicationGroup<Files.File> {
    let preparation = Preparation(saver: settlement.saver, permissions: permissions)
    var saved = group
    for index in saved.renditions.indices {
      saved.renditions[index] = try preparation.saved(saved.renditions[index])
    }
    if let sidecar = saved.sidecar { saved.sidecar = try preparation.saved(sidecar) }
    return saved
  }

  /// Removes temporary files that this object does not have in use.
  ///
  /// Only after `recover`: then they are nobody's. Returns how many were removed; none while there
  /// is a journal that could not be read.
  @discardableResult
  public func removeLeftovers(
    _ names: [FileName], in folder: FilePath
  ) throws(FileSystemError) -> Int {
    if state.withLock({ $0.keepsLeftovers || $0.isUnfinished }) { return 0 }
    var count = 0
    for name in names where TemporaryName.describes(name) {
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
  /// The files of a photo change together. A photo that cannot be published stays as it was, and the
  /// others go on; if `isAtomic`, all stay as they were. None of the files that were staged is left
  /// under its temporary name, unless the commit is `unfinished`.
  ///
  /// - Returns: For each group what its files are known by from now on, in their order; nil for
  ///   those removed.
  public func publish(
    _ groups: [PublicationGroup<Files.File>], isAtomic: Bool = false
  ) -> [Result<[FileIdentity?], PublishingError>] {
    var commit = GroupCommit(
      groups, isAtomic: isAtomic, permissions: permissions, settlement: settlement)
    commit.save()
    do throws(FileSystemError) {
      try files.createFolders(OutputRoot.stateFolder, permissions: .newStateFolder)
      let lock = try files.lock(Self.lock)
      defer { withExtendedLifetime(lock) {} }
      if state.withLock({ $0.isUnfinished }) { try completeUnfinished() }
      commit.check()
      if commit.isDue {
        commit.carryOut(id: nextID(), run: try run())
        if commit.isDue { emptyTrash() }
      }
    } catch {
      commit.fail(.failed(error))
    }
    commit.discardUnpublished()
    if commit.isUnfinished {
      // The files that the journal names are in use until it is settled.
      state.withLock { $0.isUnfinished = true }
    } else {
      forget(groups.flatMap { $0.inOrder.compactMap(\.new?.path) })
    }
    return commit.results
  }

  private func completeUnfinished() throws(FileSystemError) {
    do { _ = try recoverHoldingLock() } catch let error as FileSystemError { throw error } catch {
      throw FileSystemError(.read, JournalFolder<Files>.path, .ioError)
    }
    state.withLock { $0.isUnfinished = false }
  }

  private func nextID() -> String {
    let number = state.withLock { state in
      state.commits += 1
      return state.commits
    }
    let digits = String(number)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits + "-"
      + TemporaryName.number()
  }

  /// The run in whose trash displaced files go: a new one at the first commit.
  private func run() throws(FileSystemError) -> Int {
    if let run = state.withLock({ $0.run }) { return run }
    let run = try Trash.begin(in: files)
    state.withLock { $0.run = run }
    return run
  }

  /// Removes what earlier runs left to undo, once this one has changed something.
  private func emptyTrash() {
    let run = state.withLock { state in
      defer { state.isTrashEmpty = true }
      return state.isTrashEmpty ? nil : state.run
    }
    guard let run else { return }
    // A file that cannot be removed costs only space; the next run tries again.
    try? Trash.empty(before: run, in: files)
  }
}
