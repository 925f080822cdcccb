import PhotoLibrary
import SystemPackage

/// A folder in the state in which the walk over a library found it.
struct SeenFolder: Sendable {
  let key: FolderKey
  let fingerprint: [UInt8]
  let newest: Int64
  /// The number of files and folders in the folder.
  let count: Int
  /// True if the index has a record of the folder with this fingerprint.
  let isSame: Bool
  /// The folder's entries, until they are read; nil for an unchanged folder, which is listed again if
  /// it must be read.
  var listed: ListedFolder?
  let isAnotherLibrary: Bool
  /// True if the folder is in a separate output root and has sidecars.
  let hasMirroredSidecars: Bool

  /// Creates a folder from its listing, which is kept if `isKept` is true and the folder changed.
  init(
    _ folder: ListedFolder, _ tree: LibraryTree, _ files: (RealFileSystem, LibraryIndex?),
    isKept: Bool
  ) {
    key = FolderKey(tree, folder.path)
    fingerprint = folder.fingerprint(trustsInodes: files.0.trustsInodes)
    newest = folder.newest
    count = folder.count
    isAnotherLibrary = folder.isAnotherLibrary
    hasMirroredSidecars = tree == .mirror && folder.hasSidecars
    // A folder with temporary files is scanned, because they must be removed even if there is no
    // other work.
    isSame =
      files.1?.holds(key, fingerprint: fingerprint) ?? false && !folder.hasLeftovers
    listed = isSame || !isKept ? nil : folder
  }
}
