import SystemPackage

/// One commit of the files of many photos, in steps.
struct GroupCommit<Files: FileSystem> {
  private let isAtomic: Bool
  private let preparation: Preparation<Files>
  private let settlement: Settlement<Files>
  private let state: CommitState
  private var candidates: [Candidate<Files>]
  /// True if the commit is on disk but could not be completed.
  private(set) var isUnfinished = false

  private var files: Files { settlement.files }
  private var saver: Saver<Files> { settlement.saver }

  init(
    _ groups: [PublicationGroup<Files.File>], isAtomic: Bool, permissions: FilePermissions,
    settlement: Settlement<Files>, state: CommitState = .library
  ) {
    self.state = state
    candidates = groups.map { Candidate($0) }
    self.isAtomic = isAtomic
    preparation = Preparation(
      saver: settlement.saver, permissions: permissions, state: state)
    self.settlement = settlement
  }

  /// True if a group without an error has changes to publish.
  var isDue: Bool { candidates.contains(where: \.isDue) }

  /// The paths of the files that were removed and not replaced.
  var removedFiles: [FilePath] {
    candidates.filter { $0.isCommitted && $0.failure == nil }.flatMap(\.changes).map(\.entry)
      .filter { $0.new == nil }.map(\.path)
  }

  var results: [Result<[FileIdentity?], PublishingError>] {
    candidates.map { candidate in
      candidate.failure.map { .failure($0) } ?? .success(candidate.identities)
    }
  }

  /// Sets the error of every group that has none.
  mutating func fail(_ error: PublishingError) {
    for index in candidates.indices where candidates[index].failure == nil {
      candidates[index].failure = error
    }
  }

  /// Runs a step for every group without an error, and records an error of the step in the group.
  private mutating func forEach(
    _ body: (inout Candidate<Files>) throws(PublishingError) -> Void
  ) {
    for index in candidates.indices where candidates[index].failure == nil {
      do throws(PublishingError) { try body(&candidates[index]) } catch {
        candidates[index].failure = error
      }
    }
    if isAtomic, let first = candidates.compactMap(\.failure).first {
      fail(.withdrawn(with: first.path))
    }
  }
}

extension GroupCommit {
  /// Saves the staged files and their temporary names.
  mutating func save() {
    let preparation = preparation
    forEach { candidate throws(PublishingError) in try preparation.setPermissions(of: candidate) }
    let open = candidates.map { $0.failure == nil ? $0.publications.compactMap(\.new?.open) : [] }
    for file in open.joined() { files.startSynchronizing(file) }
    var failures = saver.save(Array(open.joined()))[...]
    let failed = open.map { files in
      defer { failures = failures.dropFirst(files.count) }
      return failures.prefix(files.count).compactMap { $0 }.first
    }
    for (index, error) in failed.enumerated() {
      if let error { candidates[index].failure = .failed(error) }
    }
    forEach { candidate throws(PublishingError) in try preparation.createFolders(of: candidate) }
    saveFolders()
  }

  /// Synchronizes the folders of the temporary files, each once, so that the names of these files
  /// survive a power failure.
  private mutating func saveFolders() {
    let folders = Set(candidates.filter { $0.failure == nil }.flatMap(\.stagingFolders))
    var failures: [FilePath: FileSystemError] = [:]
    for folder in folders.sorted(by: { $0.string < $1.string }) {
      do throws(FileSystemError) { try saver.save(folder: folder) } catch {
        failures[folder] = error
      }
    }
    if failures.isEmpty { return }
    forEach { candidate throws(PublishingError) in
      for folder in candidate.stagingFolders {
        if let error = failures[folder] { throw .failed(error) }
      }
    }
  }

  /// Checks that all files are as expected, and finally that the photos from which the files were
  /// made are unchanged.
  mutating func check() {
    let preparation = preparation
    var taken: Set<FilePath> = []
    forEach { candidate throws(PublishingError) in
      for (place, publication) in candidate.publications.enumerated() {
        guard taken.insert(publication.path).inserted else { throw .conflict(publication.path) }
        try preparation.check(publication, place, &candidate)
      }
    }
    forEach { candidate throws(PublishingError) in try candidate.checkSource() }
  }
}

extension GroupCommit {
  /// Writes the ledger and the journal, makes the changes in the journal, and returns when the
  /// changes are saved.
  mutating func carryOut(id: String, run: Int) {
    do throws(FileSystemError) {
      try RenditionLedger(files, state)
        .append(candidates.filter(\.isDue).flatMap(\.renditions), saver)
    } catch { return fail(.failed(error)) }
    let journal = Journal(
      id: id, isAtomic: isAtomic, run: run, units: candidates.filter(\.isDue).map(\.unit))
    do throws(FileSystemError) { try settlement.journals.write(journal) } catch {
      isUnfinished = settlement.journals.holds(journal)
      fail(isUnfinished ? .unfinished(error) : .failed(error))
      return
    }
    for index in candidates.indices { candidates[index].isCommitted = candidates[index].isDue }
    do throws(FileSystemError) {
      try apply()
      try saver.save(folders: journal.folders)
      try conclude(journal)
    } catch {
      isUnfinished = true
      fail(.unfinished(error))
    }
  }

  /// Exchanges the files, group by group, and takes back the changes of groups that cannot be
  /// completed.
  private mutating func apply() throws(FileSystemError) {
    for index in candidates.indices where candidates[index].isCommitted {
      do throws(PublishingError) {
        for change in candidates[index].changes {
          candidates[index].identities[change.place] = try apply(change, of: candidates[index])
        }
      } catch {
        candidates[index].failure = error
        if isAtomic { break }
        try settlement.undo([candidates[index].unit])
      }
    }
    if isAtomic, let first = candidates.compactMap(\.failure).first {
      try settlement.undo(candidates.map(\.unit))
      fail(.withdrawn(with: first.path))
    }
  }

  /// Makes one change, and returns the identity of the new file.
  private func apply(
    _ change: Change, of candidate: Candidate<Files>
  ) throws(PublishingError) -> FileIdentity? {
    do throws(FileSystemError) {
      if change.displaced != nil, try files.status(at: change.entry.path) == nil {
        throw FileSystemError(.rename, change.entry.path, .noSuchFileOrDirectory)
      }
      try settlement.apply(change.entry)
      if let displaced = change.displaced {
        let now = try files.status(at: change.entry.temporary)?.identity
        guard now?.isSameFile(as: displaced) == true else {
          throw FileSystemError(.rename, change.entry.path, .fileExists)
        }
      }
      return try identity(of: candidate.publications[change.place].new, at: change.entry.path)
    } catch {
      throw error.isConflict ? .conflict(change.entry.path) : .failed(error)
    }
  }

  /// The identity of a file under its final name; nil if the file was removed or another file has
  /// the name.
  private func identity(
    of new: NewFile<Files.File>?, at path: FilePath
  ) throws(FileSystemError) -> FileIdentity? {
    switch new {
    case .staged(let staged): return try files.status(of: staged.file).identity
    case .saved(let saved):
      let found = try files.status(at: path)?.identity
      return found?.isSameFile(as: saved.identity) == true ? found : nil
    case nil: return nil
    }
  }

  private func conclude(_ journal: Journal) throws(FileSystemError) {
    let displaced = Dictionary(
      candidates.flatMap(\.changes).map { ($0.entry.temporary, $0.displaced) },
      uniquingKeysWith: { first, _ in first })
    let files = files
    try settlement.conclude(
      journal, undone: candidates.filter { $0.isCommitted && $0.failure != nil }.map(\.unit)
    ) { entry throws(FileSystemError) in
      let found = try files.status(at: entry.temporary)?.identity
      return found?.isSameFile(as: displaced[entry.temporary] ?? nil) ?? false
    }
  }

  /// Removes the staged files of groups that were not committed, and staged files whose bytes were
  /// already in the file with the final name.
  func discardUnpublished() {
    for candidate in candidates {
      let committed = candidate.isCommitted ? Set(candidate.changes.map(\.entry.temporary)) : []
      for new in candidate.publications.compactMap(\.new)
      where !committed.contains(new.path) && !isUnfinished {
        // An error is ignored, because a later run removes the files that remain.
        try? files.remove(new.path)
      }
    }
  }
}

extension Journal {
  /// The folders in which the journal changes names.
  var folders: Set<FilePath> {
    Set(
      units.flatMap(\.entries).flatMap { entry in
        [entry.path.removingLastComponent(), entry.temporary.removingLastComponent()]
      })
  }
}

extension FileIdentity {
  /// True if both are the same file with the same bytes; a rename changes only `changed`.
  func isSameFile(as other: FileIdentity?) -> Bool {
    inode == other?.inode && size == other?.size && modified == other?.modified
  }
}
