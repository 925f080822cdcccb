public import Notation
import PhotoRecipes
public import SystemPackage

/// The folders that shards have left in the state folder of an output root.
public enum ShardFolders {
  /// The folders of all shards whose plans are not merged, sorted by name.
  public static func all(in files: RealFileSystem) -> [FilePath] {
    folders(in: CommitState.shards, files).flatMap { folders(in: $0, files) }
  }

  private static func folders(in folder: FilePath, _ files: RealFileSystem) -> [FilePath] {
    guard (try? files.status(at: folder))??.kind == .directory else { return [] }
    let paths = (try? files.names(in: folder))?.compactMap { $0.component }
      .map { folder.appending($0) }
    return (paths ?? []).filter { (try? files.status(at: $0))??.kind == .directory }
  }

  /// True if a shard was interrupted while it published files, so that only that shard can complete
  /// its commit.
  static func holdPendingJournal(in files: RealFileSystem) -> Bool {
    all(in: files).contains { folder in
      let names = try? files.names(in: folder.appending("txn"))
      return names?.contains { JournalFolder<RealFileSystem>.mark(of: $0) != nil } ?? false
    }
  }

  /// Throws if shards have left a state in which a command must not begin.
  ///
  /// The holder of the exclusive `LibraryLock` calls this function, so no shard is running.
  ///
  /// - Parameters:
  ///   - root: The output root.
  ///   - needsUndoData: True for a command that needs the undo data of all earlier commands; the
  ///     undo data of shards is available only after their merge.
  /// - Throws: `UnfinishedShards` if the command must wait for a shard or a merge.
  public static func check(_ root: OutputRoot, needsUndoData: Bool) throws(UnfinishedShards) {
    if holdPendingJournal(in: root.files) {
      throw UnfinishedShards(root: root.files.path, isInterrupted: true)
    }
    if needsUndoData && !all(in: root.files).isEmpty {
      throw UnfinishedShards(root: root.files.path, isInterrupted: false)
    }
  }
}

/// The error of a command that must not begin before the shards of a plan are done and merged.
public struct UnfinishedShards: UserError, Hashable {
  public let root: FilePath
  /// True if a shard was interrupted while it published files.
  public let isInterrupted: Bool

  public var message: String {
    isInterrupted
      ? "a shard of a plan for '\(root.displayed)' was interrupted while it published files"
      : "a plan for '\(root.displayed)' is not merged yet"
  }

  public var hint: String {
    isInterrupted
      ? "run that shard again with 'phbatch run --plan', or the plan's 'phbatch merge'"
      : "do the missing shards, then run 'phbatch merge'"
  }
}
