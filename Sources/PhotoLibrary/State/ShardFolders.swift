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

  /// The shards that were interrupted while they published files, sorted by folder.
  ///
  /// Only the shard itself or the merge of its plan can complete such a commit.
  public static func interruptions(of root: OutputRoot) -> [UnfinishedShards] {
    all(in: root.files).filter { folder in
      let names = try? root.files.names(in: folder.appending("txn"))
      return names?.contains { JournalFolder<RealFileSystem>.mark(of: $0) != nil } ?? false
        && !ShardLock.isHeld(folder.appending("lock"), in: root.files)
    }.map { UnfinishedShards(of: root, $0, isInterrupted: true) }
  }

  /// The folder of a plan, which has a folder for each shard; the merge removes it at its end.
  public static func folder(of plan: String) -> FilePath { CommitState.shards.appending(plan) }

  /// The copy of a plan in the folder of its shards.
  static func copy(of plan: String) -> FilePath { folder(of: plan).appending("plan") }

  /// True if a shard of the plan has begun, and the plan is not merged.
  public static func hasCopy(of plan: String, in root: OutputRoot) -> Bool {
    (try? root.files.status(at: copy(of: plan))) ?? nil != nil
  }

  /// Copies a plan's file to the folder of its shards, unless the copy exists.
  ///
  /// The plan has the key of its shards' journals. Without the copy, a commit of a shard could not
  /// be completed after the plan's file was lost. The copy is readable only for its owner.
  public static func keep(
    _ file: OpenFile, of plan: String, in root: OutputRoot
  ) throws(FileSystemError) {
    let copy = copy(of: plan)
    if try root.files.status(at: copy) != nil { return }
    try root.files.createFolders(folder(of: plan), permissions: .newStateFolder)
    // Many shards start at the same time; one of them copies the file, and the others wait.
    let lock = try root.files.lock(folder(of: plan).appending("plan.lock"), .exclusive)
    defer { withExtendedLifetime(lock) {} }
    if try root.files.status(at: copy) != nil { return }
    try root.files.replace(copy, permissions: .ownerReadWrite) {
      target throws(FileSystemError) in try root.files.copy(file, to: target)
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
    if let interrupted = interruptions(of: root).first { throw interrupted }
    let folders = needsUndoData ? all(in: root.files) : []
    let shards = folders.lazy.map { UnfinishedShards(of: root, $0, isInterrupted: false) }
    // A shard that has changed no file has no command, but another shard may have one.
    if let shard = shards.first(where: { $0.command != nil }) ?? shards.first { throw shard }
  }
}

/// The error of a command that must not begin before the shards of a plan are done and merged.
public struct UnfinishedShards: UserError, Hashable {
  public let root: FilePath
  /// The folder of the shard, relative to the output root.
  public let folder: FilePath
  /// True if the shard was interrupted while it published files.
  public let isInterrupted: Bool
  /// The command of the shard, which names its plan; nil if the shard has changed no file.
  let command: String?
  /// The copy of the plan in the state folder; nil if there is none.
  private let copy: FilePath?

  init(of root: OutputRoot, _ folder: FilePath, isInterrupted: Bool) {
    (self.root, self.folder, self.isInterrupted) = (root.files.path, folder, isInterrupted)
    let bytes = try? root.files.read(folder.appending("trash/1/command"), limit: 1 << 16)
    command = bytes.map { String(decoding: $0, as: UTF8.self) }
    let plan = folder.removingLastComponent().lastComponent?.string ?? ""
    let copy = ShardFolders.copy(of: plan)
    let isThere = (try? root.files.status(at: copy))??.kind == .regular
    self.copy = isThere ? root.files.path.appending(copy.components) : nil
  }

  /// True if the interrupted commit may need a temporary file with this name.
  public func owns(_ name: FileName) -> Bool {
    guard let plan = folder.removingLastComponent().lastComponent,
      let index = folder.lastComponent.flatMap({ Int($0.string) })
    else { return false }
    return CommitState.shard(index, of: plan.string, key: nil).owns(name)
  }

  public var message: String {
    let name = "'\(root.displayed)'"
    if isInterrupted {
      let shard = command.map { "'phbatch \($0)'" } ?? "a shard of a plan"
      return "\(shard) was interrupted while it published files in \(name)"
    }
    if let command { return "\(name) has changes of '\(command)', which is not merged yet" }
    return "a plan for \(name) is not merged yet"
  }

  public var hint: String {
    let work =
      isInterrupted
      ? "do that shard again with 'phbatch run --plan', or give it up with"
        + " 'phbatch merge --accept-missing'"
      : "do the missing shards, then run 'phbatch merge'; --accept-missing gives them up"
    return work + (copy.map { "; the plan is also at '\($0.displayed)'" } ?? "")
  }
}
