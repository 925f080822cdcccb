import SystemPackage

/// Prepares each file of a commit: saves it, and checks the file at its final path.
struct Preparation<Files: FileSystem>: Sendable {
  let saver: Saver<Files>
  let permissions: FilePermissions
  var state = CommitState.library

  private var files: Files { saver.files }

  /// Sets the permissions of the staged files.
  ///
  /// All files of a commit get their permissions before the first is saved. If an inode changed
  /// after that, saving it would write the file system's journal once more for each file.
  func setPermissions(of candidate: Candidate<Files>) throws(PublishingError) {
    for file in candidate.publications.compactMap(\.new?.open) {
      try attempt { () throws(FileSystemError) in try files.setPermissions(permissions, of: file) }
    }
  }

  /// Creates the folders of the final paths of the staged files.
  func createFolders(of candidate: Candidate<Files>) throws(PublishingError) {
    for publication in candidate.publications where publication.new?.open != nil {
      try createFolder(of: publication)
    }
  }

  private func createFolder(of publication: Publication<Files.File>) throws(PublishingError) {
    try attempt { () throws(FileSystemError) in
      try files.createFolders(publication.path.removingLastComponent())
    }
  }

  /// Checks that the file at the publication's path is the expected one, and adds the change to the
  /// candidate.
  ///
  /// Adds no change if the file already has the new bytes.
  func check(
    _ publication: Publication<Files.File>, _ place: Int, _ candidate: inout Candidate<Files>
  ) throws(PublishingError) {
    let path = publication.path
    let found = try attempt { () throws(FileSystemError) in try files.status(at: path) }
    let old = try digest(of: found, at: path, publication.expected)
    let new = try digest(of: publication)
    // A sidecar is published with its renditions even if it stays the same, because `undo` finds
    // the photo by its sidecar.
    let isPartOfChange = Sidecar.isPath(path) && !candidate.changes.isEmpty
    if new == old && !(isPartOfChange && new != nil) {
      candidate.identities[place] = found?.identity
      return
    }
    let temporary =
      publication.new?.path
      ?? path.removingLastComponent().appending(state.temporaryName().component)
    let trashName = publication.keepsDisplaced && old != nil ? temporary.trashName : nil
    let entry = Journal.Entry(
      path: path, temporary: temporary, new: new, old: old, trashName: trashName)
    candidate.changes.append(Change(entry: entry, place: place, displaced: found?.identity))
  }

  /// Saves and closes the publication's file, and returns the publication with the saved file.
  func saved(
    _ publication: Publication<Files.File>
  ) throws(PublishingError) -> Publication<Files.File> {
    guard case .staged(let staged) = publication.new, let digest = try digest(of: publication)
    else { return publication }
    try attempt { () throws(FileSystemError) in
      try files.setPermissions(permissions, of: staged.file)
      try saver.save(staged.file)
    }
    try createFolder(of: publication)
    let identity = try attempt { () throws(FileSystemError) in
      try files.status(of: staged.file).identity
    }
    var publication = publication
    publication.new = .saved(
      SavedFile(path: staged.path, identity: identity, digest: digest))
    return publication
  }

  /// The digest of the new file; nil if the publication removes the name.
  ///
  /// - Throws: `.conflict` if another program changed a file that waited under its temporary name.
  private func digest(
    of publication: Publication<Files.File>
  ) throws(PublishingError) -> Digest? {
    switch publication.new {
    case .staged(let staged):
      if let known = publication.digest { return known }
      return try digest(of: staged.file, publication.path)
    case .saved(let saved):
      let found = try attempt { () throws(FileSystemError) in try files.status(at: saved.path) }
      guard found?.identity == saved.identity else { throw .conflict(saved.path) }
      return saved.digest
    case nil: return nil
    }
  }

  /// The digest of the file that is now at `path`; nil if there is none.
  ///
  /// - Throws: `.conflict` if it is not the expected file.
  private func digest(
    of found: FileStatus?, at path: FilePath, _ expected: ExpectedFile
  ) throws(PublishingError) -> Digest? {
    guard let found else {
      if expected == .absent { return nil }
      throw .conflict(path)
    }
    guard found.kind == .regular, expected != .absent else { throw .conflict(path) }
    let file = try attempt { () throws(FileSystemError) in try files.open(path) }
    let digest = try digest(of: file, path)
    let opened = try attempt { () throws(FileSystemError) in try files.status(of: file).identity }
    let isExpected =
      switch expected {
      case .absent: false
      case .identity(let identity): opened == identity
      case .digest(let wanted): digest == wanted
      }
    guard isExpected, opened == found.identity else { throw .conflict(path) }
    return digest
  }

  private func digest(
    of file: Files.File, _ path: FilePath
  ) throws(PublishingError) -> Digest {
    do { return try Digest(of: file, in: files) } catch let error as FileSystemError {
      throw .failed(error)
    } catch {
      // The file changed while it was hashed, so another program is writing to it.
      throw .conflict(path)
    }
  }

  private func attempt<Value>(
    _ body: () throws(FileSystemError) -> Value
  ) throws(PublishingError) -> Value {
    do throws(FileSystemError) { return try body() } catch { throw .failed(error) }
  }
}
