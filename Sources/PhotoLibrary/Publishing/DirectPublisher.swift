import Synchronization
public import SystemPackage

/// Publishes by renaming one file after the other.
///
/// No name ever stands for a part of a file, and none that is not expected is replaced, except by a
/// program that writes in the instant between the last check and the rename. A crash between two
/// renames leaves a group half new: the sidecar, which is last, then still describes the old files.
public final class DirectPublisher<Files: FileSystem>: Publisher {
  private let files: Files
  private let permissions: FilePermissions
  /// The temporary names that this object has in use.
  private let staged = Mutex<Set<FilePath>>([])

  /// Gives these permissions to every file it publishes.
  public init(_ files: Files, permissions: FilePermissions = .newFile) {
    self.files = files
    self.permissions = permissions
  }

  public func stage(in folder: FilePath) throws(FileSystemError) -> StagedFile<Files.File> {
    try files.createFolders(folder)
    let path = folder.appending(TemporaryName().component)
    // First in use, then there: `removeLeftovers` may run at any time.
    staged.withLock { _ = $0.insert(path) }
    do throws(FileSystemError) {
      return StagedFile(path: path, file: try files.create(path))
    } catch {
      forget(path)
      throw error
    }
  }

  public func discard(_ staged: StagedFile<Files.File>) throws(FileSystemError) {
    try files.remove(staged.path)
    forget(staged.path)
  }

  @discardableResult
  public func publish(
    _ group: PublicationGroup<Files.File>
  ) throws(PublishingError) -> [FileIdentity?] {
    let publications = group.inOrder
    defer { discardUnpublished(publications) }
    try attempt([]) { () throws(FileSystemError) in try prepare(publications) }
    var found: [FileIdentity?] = []
    for publication in publications { found.append(try check(publication)) }

    var published: [FilePath] = []
    for (publication, before) in zip(publications, found) {
      let now = try attempt(published) { () throws(FileSystemError) in
        try files.status(at: publication.path)?.identity
      }
      guard now == before else { throw .conflict(publication.path, published: published) }
      try attempt(published) { () throws(FileSystemError) in try apply(publication) }
      published.append(publication.path)
    }
    return try attempt(published) { () throws(FileSystemError) in try finish(publications) }
  }

  /// Removes temporary files that this object does not have in use.
  ///
  /// Only for the holder of the `LibraryLock` of the output root: then they are nobody's. Returns
  /// how many were removed.
  @discardableResult
  public func removeLeftovers(
    _ names: [FileName], in folder: FilePath
  ) throws(FileSystemError) -> Int {
    var count = 0
    for name in names where TemporaryName.describes(name) {
      guard let component = name.component else { continue }
      let path = folder.appending(component)
      guard !staged.withLock({ $0.contains(path) }) else { continue }
      do throws(FileSystemError) {
        try files.remove(path)
        count += 1
      } catch {
        guard error.errno == .noSuchFileOrDirectory else { throw error }
      }
    }
    return count
  }

  private func prepare(_ publications: [Publication<Files.File>]) throws(FileSystemError) {
    for publication in publications {
      guard let staged = publication.staged else { continue }
      try files.setPermissions(permissions, of: staged.file)
      try files.synchronize(staged.file)
      try files.createFolders(publication.path.removingLastComponent())
    }
  }

  /// Returns the identity of what has the name, after making sure that it is what was expected.
  private func check(
    _ publication: Publication<Files.File>
  ) throws(PublishingError) -> FileIdentity? {
    let path = publication.path
    let found = try attempt([]) { () throws(FileSystemError) in try files.status(at: path) }
    let isExpected: Bool
    switch publication.expected {
    case .absent: isExpected = found == nil
    case .identity(let identity): isExpected = found?.identity == identity
    case .digest(let digest):
      do {
        isExpected =
          found?.kind == .regular
          ? try Digest(of: files.open(path), in: files) == digest : false
      } catch let error as FileSystemError {
        throw .failed(error, published: [])
      } catch {
        throw .conflict(path, published: [])
      }
    }
    guard isExpected else { throw .conflict(path, published: []) }
    return found?.identity
  }

  private func apply(_ publication: Publication<Files.File>) throws(FileSystemError) {
    let isNew = publication.expected == .absent
    if let staged = publication.staged {
      try files.rename(staged.path, to: publication.path, isNew ? .keeping : .replacing)
      forget(staged.path)
    } else if !isNew {
      try files.remove(publication.path)
    }
  }

  private func finish(
    _ publications: [Publication<Files.File>]
  ) throws(FileSystemError) -> [FileIdentity?] {
    let changed = publications.filter { $0.staged != nil || $0.expected != .absent }
    let paths = changed.flatMap { [$0.path, $0.staged?.path ?? $0.path] }
    for folder in Set(paths.map { $0.removingLastComponent() }) {
      try files.synchronize(folder: folder)
    }
    var identities: [FileIdentity?] = []
    for publication in publications {
      guard let staged = publication.staged else {
        identities.append(nil)
        continue
      }
      identities.append(try files.status(of: staged.file).identity)
    }
    return identities
  }

  private func discardUnpublished(_ publications: [Publication<Files.File>]) {
    for publication in publications {
      guard let path = publication.staged?.path, staged.withLock({ $0.contains(path) }) else {
        continue
      }
      // There is a better error to report; a later run removes what this cannot.
      try? files.remove(path)
      forget(path)
    }
  }

  private func attempt<Result>(
    _ published: [FilePath], _ body: () throws(FileSystemError) -> Result
  ) throws(PublishingError) -> Result {
    do throws(FileSystemError) { return try body() } catch {
      guard error.call == .rename, error.errno == .fileExists else {
        throw .failed(error, published: published)
      }
      throw .conflict(error.path, published: published)
    }
  }

  private func forget(_ path: FilePath) { staged.withLock { _ = $0.remove(path) } }
}
