public import SystemPackage

/// A source of events that report changes in folders.
///
/// The events are only hints: each reported change is checked, and a scan at intervals finds
/// changes that were not reported.
public protocol FolderEvents: Sendable {
  /// A file that becomes readable when there are events to `take`.
  var descriptor: OpenFile { get }

  /// Begins to report the events of a folder.
  ///
  /// - Returns: The number that identifies the folder in events: the same for the same folder under
  ///   any path, and never reused for another folder.
  /// - Throws: `.noSpace` above the limit of watches.
  func watch(_ folder: OpenFile) throws(Errno) -> Int32

  func unwatch(_ number: Int32)

  /// The changes since the last call; never waits.
  func take() -> FolderChanges
}

/// The folders that changed.
public struct FolderChanges: Sendable {
  /// The folders in which a name was added, removed or changed.
  public var folders: Set<Int32> = []
  /// For each folder, the names of the subfolders that were added, removed or changed.
  ///
  /// Another folder may have such a name now.
  public var subfolders: [Int32: Set<FileName>] = [:]
  /// Folders that were moved, removed or unmounted.
  public var ended: Set<Int32> = []
  /// True if events were lost, so that any folder may have changed.
  public var isIncomplete = false

  public init() {}

  public var isEmpty: Bool {
    folders.isEmpty && subfolders.isEmpty && ended.isEmpty && !isIncomplete
  }
}

extension FolderChanges {
  /// Adds later changes.
  public mutating func merge(_ later: FolderChanges) {
    folders.formUnion(later.folders)
    subfolders.merge(later.subfolders) { $0.union($1) }
    ended.formUnion(later.ended)
    isIncomplete = isIncomplete || later.isIncomplete
  }
}
