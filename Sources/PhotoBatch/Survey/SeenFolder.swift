import PhotoLibrary
import Synchronization
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
  /// The folder's entries, until they are read; nil for a folder that is listed again if it must be
  /// read.
  private(set) var listed: ListedFolder?
  /// The names of the entries that were forgotten.
  private var names: KnownNames?
  let isAnotherLibrary: Bool
  /// True if the folder is in a separate output root and has sidecars.
  let hasMirroredSidecars: Bool

  /// Creates a folder from its listing.
  ///
  /// The listing of a changed folder is kept, or its names if there is no `room` for it; without a
  /// `room`, nothing is kept.
  init(
    _ folder: ListedFolder, _ tree: LibraryTree, _ files: (RealFileSystem, LibraryIndex?),
    _ room: ListingRoom?
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
    guard !isSame, let room else { return }
    listed = folder
    if !room.take(count) { forgetListing() }
  }

  /// Sets the entries of a folder that was listed again; only those that it had before are kept.
  mutating func list(again folder: ListedFolder) { listed = names?.old(in: folder) ?? folder }

  /// Forgets the entries after they were read.
  mutating func endListing() { listed = nil }

  /// Forgets the entries until the folder is listed again, and keeps their names.
  mutating func forgetListing() {
    names = names ?? listed.map { KnownNames($0) }
    listed = nil
  }
}

/// The number of files and folders whose entries a walk may keep.
final class ListingRoom: Sendable {
  private let left: Mutex<Int>

  init(_ files: Int) { left = Mutex(files) }

  /// Returns true if there is room for the entries of one more folder.
  func take(_ files: Int) -> Bool {
    left.withLock { left in
      if files > left { return false }
      left -= files
      return true
    }
  }
}
