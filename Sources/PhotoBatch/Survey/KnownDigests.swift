import PhotoLibrary
import Synchronization
import SystemPackage

/// The digests of files that earlier runs read, and the digests that this run adds for later runs.
final class KnownDigests: Sendable {
  private struct Folder {
    let files: [FileName: FolderRecord.KnownFile]
    /// Files read by this run, whose timestamps may be too recent to trust in a later run.
    var read: [FileName: FolderRecord.KnownFile] = [:]
  }

  private let index: LibraryIndex?
  private let trustsInodes: [LibraryTree: Bool]
  private let folders = Mutex<[FolderKey: Folder]>([:])

  /// Creates the table from the index of an earlier run; without an index, the table is empty.
  init(_ index: LibraryIndex? = nil, in root: OutputRoot) {
    self.index = index
    trustsInodes = [
      .library: root.library.trustsInodes, .mirror: root.files.trustsInodes,
    ]
  }

  /// The digest that an earlier run recorded for a file with this identity; nil if there is none.
  func digest(_ path: FilePath, _ tree: LibraryTree, _ identity: FileIdentity) -> Digest? {
    guard let (key, name) = place(of: path, tree) else { return nil }
    let identity = identity.indexed(trustsInodes: trustsInodes[tree] ?? false)
    return folders.withLock { folders in
      load(key, &folders)
      guard let known = folders[key]?.files[name], known.identity == identity else { return nil }
      return known.digest
    }
  }

  /// The digest of the file at a path; the file is read only if its digest is not known.
  ///
  /// - Throws: `FileChangedError` if the file changes while it is read, or a `FileSystemError`.
  func digest(at path: FilePath, _ tree: LibraryTree, in files: RealFileSystem) throws -> Digest {
    if let status = try files.status(at: path), status.kind == .regular,
      let known = digest(path, tree, status.identity)
    {
      return known
    }
    return try digest(of: files.open(path), at: path, tree, in: files)
  }

  /// The digest of an open file; the file is read only if its digest is not known.
  ///
  /// - Throws: `FileChangedError` if the file changes while it is read.
  func digest(
    of file: OpenFile, at path: FilePath, _ tree: LibraryTree, in files: RealFileSystem
  ) throws -> Digest {
    let identity = try files.status(of: file).identity
    if let known = digest(path, tree, identity) { return known }
    let digest = try Digest(of: file, in: files)
    guard let (key, name) = place(of: path, tree),
      try files.status(of: file).identity == identity
    else { return digest }
    let known = FolderRecord.KnownFile(
      name: name, identity: identity.indexed(trustsInodes: trustsInodes[tree] ?? false),
      digest: digest)
    folders.withLock { folders in
      load(key, &folders)
      folders[key]?.read[name] = known
    }
    return digest
  }

  /// The known digests of a folder's files, sorted by name.
  ///
  /// Contains the digests of files that are unchanged since the scan, and of files that this run
  /// read and whose timestamps are old enough to trust.
  func files(
    of folder: ScannedFolder, _ tree: LibraryTree, _ clock: FileClock
  ) -> [FolderRecord.KnownFile] {
    let scanned = folder.files + folder.companions.map(\.file)
    let found = Dictionary(
      scanned.map { ($0.name, $0.status.identity.indexed(trustsInodes: clock.trustsInodes)) }
    ) { first, _ in first }
    let known = folders.withLock { folders in
      let key = FolderKey(tree, folder.path)
      load(key, &folders)
      return folders[key]
    }
    guard let known else { return [] }
    var files = known.files.filter { found[$0.key] == $0.value.identity }
    for file in known.read.values where clock.trusts(file.identity) { files[file.name] = file }
    return files.values.sorted { $0.name < $1.name }
  }

  /// All known digests, sorted by folder and name.
  ///
  /// Digests of files whose timestamps are too recent to trust are left out.
  func records(_ clocks: [LibraryTree: FileClock]) -> [FolderRecord] {
    let known = folders.withLock { $0 }
    return known.compactMap { key, folder -> FolderRecord? in
      guard let clock = clocks[key.tree] else { return nil }
      var files = folder.files
      for file in folder.read.values where clock.trusts(file.identity) { files[file.name] = file }
      if files.isEmpty { return nil }
      // No folder has a fingerprint of zeros, so only the digests are used.
      var record = FolderRecord(key: key, fingerprint: [UInt8](repeating: 0, count: 32))
      record.files = files.values.sorted { $0.name < $1.name }
      return record
    }.sorted {
      ($0.key.tree.rawValue, $0.key.path.string) < ($1.key.tree.rawValue, $1.key.path.string)
    }
  }

  /// Forgets the digests that are in memory; those of the index stay known.
  func forget() { folders.withLock { $0 = [:] } }

  private func load(_ key: FolderKey, _ folders: inout [FolderKey: Folder]) {
    guard folders[key] == nil else { return }
    let known = index?.record(of: key)?.files ?? []
    folders[key] = Folder(
      files: Dictionary(known.map { ($0.name, $0) }) { first, _ in first })
  }

  private func place(of path: FilePath, _ tree: LibraryTree) -> (FolderKey, FileName)? {
    guard let name = path.lastComponent else { return nil }
    return (FolderKey(tree, path.removingLastComponent()), FileName(name))
  }
}
