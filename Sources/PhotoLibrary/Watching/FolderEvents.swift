public import SystemPackage

/// Where hints come from that something changed in a folder.
///
/// They are hints and no more: what they say is looked up, and what they leave out is found by a scan
/// now and then.
public protocol FolderEvents: Sendable {
  /// Becomes readable when there is something to `take`.
  var descriptor: OpenFile { get }

  /// Begins to tell of a folder.
  ///
  /// - Returns: The number by which events name it: the same for the same folder, whatever its path,
  ///   and never used again for another.
  /// - Throws: `.noSpace` above the limit of watches.
  func watch(_ folder: OpenFile) throws(Errno) -> Int32

  func unwatch(_ number: Int32)

  /// All that happened until now, and was not taken yet; never waits.
  func take() -> FolderChanges
}

/// In which folders something happened.
public struct FolderChanges: Sendable {
  /// Folders in which a name came, went or changed.
  public var folders: Set<Int32> = []
  /// Folders in those that came, went or changed: another one may be there under the old name.
  public var subfolders: [Int32: Set<FileName>] = [:]
  /// Folders that were moved, removed or unmounted.
  public var ended: Set<Int32> = []
  /// True if events were lost, so that anything may have changed anywhere.
  public var isIncomplete = false

  public init() {}

  public var isEmpty: Bool {
    folders.isEmpty && subfolders.isEmpty && ended.isEmpty && !isIncomplete
  }
}

extension FolderChanges {
  /// Adds what happened later.
  public mutating func merge(_ later: FolderChanges) {
    folders.formUnion(later.folders)
    subfolders.merge(later.subfolders) { $0.union($1) }
    ended.formUnion(later.ended)
    isIncomplete = isIncomplete || later.isIncomplete
  }
}
