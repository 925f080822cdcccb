import PhotoLibrary
import Synchronization
import SystemPackage

/// A folder in the state in which the walk over a library found it.
struct SeenFolder: Sendable {
  let key: FolderKey
  let fingerprint: [UInt8]
  let newest: Int64
  /// The number of entries of the folder.
  let count: Int
  /// True if the index has a record of the folder with this fingerprint.
  let isSame: Bool
  /// The scanned folder; nil if it is unchanged, or if there are too many files to keep them.
  var folder: ScannedFolder?
  /// What the folder's names tell; nil if the folder was kept, or is unchanged.
  let glance: FolderGlance?
  let isAnotherLibrary: Bool

  init(
    _ folder: ListedFolder, _ tree: LibraryTree, _ files: (RealFileSystem, LibraryIndex?),
    _ glancer: FolderGlancer?, _ memory: FolderMemory
  ) {
    key = FolderKey(tree, folder.path)
    fingerprint = folder.fingerprint(trustsInodes: files.0.trustsInodes)
    newest = folder.newest
    count = folder.count
    isAnotherLibrary = folder.isAnotherLibrary
    // A folder with temporary files is scanned, because they must be removed even if there is no
    // other work.
    isSame =
      files.1?.holds(key, fingerprint: fingerprint) ?? false && !folder.hasLeftovers
    let scanned = isSame ? nil : folder.scanned()
    let isKept = scanned == nil || memory.keeps(folder.count)
    self.folder = isKept ? scanned : nil
    glance = isKept ? nil : scanned.flatMap { glancer?.glance($0, tree) }
  }
}

/// Limits the number of files that a walk keeps in memory.
final class FolderMemory: Sendable {
  private let most: Int
  private let kept = Atomic(0)

  init(_ most: Int) { self.most = most }

  /// True if a folder with this number of files may be kept; the number is then counted.
  func keeps(_ files: Int) -> Bool { kept.add(files, ordering: .relaxed).newValue <= most }
}
