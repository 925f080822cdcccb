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

  /// The file in which the merge of a plan records its progress; the merge keeps the folders of the
  /// shards until its end.
  public static func mergeRecord(of plan: String) -> FilePath {
    CommitState.shards.appending("\(plan).json")
  }

  /// True if the merge of a plan has begun and is not complete.
  static func holdUnfinishedMerge(in files: RealFileSystem) -> Bool {
    all(in: files).contains { folder in
      guard let plan = folder.removingLastComponent().lastComponent else { return false }
      return (try? files.status(at: mergeRecord(of: plan.string)))??.kind == .regular
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
    let folders = needsUndoData ? all(in: root.files) : []
    if folders.isEmpty { return }
    // A shard that has changed no file has no command, but another shard may have one.
    let commands = folders.lazy.compactMap { folder in
      try? root.files.read(folder.appending("trash/1/command"), limit: 1 << 16)
    }
    throw UnfinishedShards(
      root: root.files.path, isInterrupted: false,
      command: commands.first.map { String(decoding: $0, as: UTF8.self) })
  }
}

/// The error of a command that must not begin before the shards of a plan are done and merged.
public struct UnfinishedShards: UserError, Hashable {
  public let root: FilePath
  /// True if a shard was interrupted while it published files.
  public let isInterrupted: Bool
  /// The command of a shard that is not merged, which names its plan; nil if it is not known.
  public var command: String?

  public var message: String {
    if isInterrupted {
      return "a shard of a plan for '\(root.displayed)' was interrupted while it published files"
    }
    if let command {
      return "'\(root.displayed)' has changes of '\(command)', which is not merged yet"
    }
    return "a plan for '\(root.displayed)' is not merged yet"
  }

  public var hint: String {
    isInterrupted
      ? "run that shard again with 'phbatch run --plan', or the plan's 'phbatch merge'"
      : "do the missing shards, then run 'phbatch merge'; --accept-missing gives them up"
  }
}
