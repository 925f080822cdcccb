import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Joins the files of all shards of a plan with the files of the output root.
struct PlanMerge {
  let plan: ShardPlan
  let root: OutputRoot
  let durability: Durability

  private var states: [CommitState] { plan.shards.indices.map { plan.place(of: $0).state } }

  /// Moves the files that the shards replaced or removed to the trash, as the files of one run.
  ///
  /// The run is recorded first, so that an interrupted merge continues with it.
  ///
  /// - Returns: The run's number; nil if the shards changed no file.
  func joinTrash(_ begun: MergedPlan?, command: String) throws -> Int? {
    let displaced = try states.contains { try ShardTrash.exists($0, in: root) }
    guard displaced || begun?.trash != nil else {
      try MergedPlan(trash: nil).write(plan, in: root.files)
      return nil
    }
    let trash = try ShardTrash(root, command: command, begun: begun?.trash, of: states)
    try MergedPlan(trash: trash.run).write(plan, in: root.files)
    for (index, state) in states.enumerated() { try trash.take(index, state) }
    try trash.end()
    return trash.run
  }

  func joinLedgers() throws {
    try root.joinLedgers(of: states, durability: durability)
  }

  func joinFailures(forgets: Bool) {
    let failures = FailureCache(in: root.files, forgets: forgets)
    for state in states { failures.add(of: state) }
  }

  /// Adds the digests of files that the shards read to the index.
  ///
  /// Errors are ignored, because no run depends on the index.
  func joinIndexes() {
    let old = LibraryIndex(of: root)
    let merged = MergedRecords(root, states, old)
    let changed = merged.keys
    let kept = (old?.folders.filter { !merged.contains($0) } ?? [])
      .sorted { ($0.tree.rawValue, $0.path.string) < ($1.tree.rawValue, $1.path.string) }
    _ = try? LibraryIndex.write(
      in: root, old: old, keeping: kept, changed.lazy.map { merged.record(of: $0) })
  }

  /// Records that the merge is complete, and removes the shards' folders.
  func end(_ merged: MergedPlan) throws {
    try merged.write(plan, in: root.files)
    removeFolders()
  }

  /// True if the plan's folder exists.
  var hasFolders: Bool {
    (try? root.files.status(at: ShardFolders.folder(of: plan.name))) ?? nil != nil
  }

  /// Removes the folders of the shards, then the plan's folder with the copy of the plan.
  func removeFolders() {
    for state in states { remove(state.folder) }
    remove(ShardFolders.folder(of: plan.name))
  }

  /// Removes a folder with all files in it; errors are ignored, because remaining files only take
  /// space.
  private func remove(_ folder: FilePath) {
    for name in (try? root.files.names(in: folder)) ?? [] {
      guard let component = name.component else { continue }
      let path = folder.appending(component)
      if (try? root.files.status(at: path))??.kind == .directory {
        remove(path)
      } else {
        try? root.files.remove(path)
      }
    }
    try? root.files.removeFolder(folder)
  }
}

/// The records of the folders that shards have read, joined with the records of the old index.
///
/// A record is made when it is needed, so that not all records of a large library are in memory.
private final class MergedRecords {
  private let root: OutputRoot
  private let states: [CommitState]
  private let old: LibraryIndex?
  /// The shards that have read a folder, in their order.
  private var shards: [FolderKey: [Int]] = [:]
  /// The index that was read last.
  ///
  /// The records of most folders are in the index of one shard.
  private var last: (shard: Int, index: LibraryIndex?)?

  init(_ root: OutputRoot, _ states: [CommitState], _ old: LibraryIndex?) {
    (self.root, self.states, self.old) = (root, states, old)
    for shard in states.indices {
      guard let index = index(of: shard) else { continue }
      for key in index.folders { shards[key, default: []].append(shard) }
    }
  }

  /// The folders, grouped by shard.
  var keys: [FolderKey] {
    shards.sorted { left, right in
      (left.value[0], left.key.tree.rawValue, left.key.path.string)
        < (right.value[0], right.key.tree.rawValue, right.key.path.string)
    }.map(\.key)
  }

  func contains(_ key: FolderKey) -> Bool { shards[key] != nil }

  func record(of key: FolderKey) -> FolderRecord {
    var record =
      old?.record(of: key)
      ?? FolderRecord(key: key, fingerprint: [UInt8](repeating: 0, count: 32))
    var files = Dictionary(record.files.map { ($0.name, $0) }) { first, _ in first }
    for shard in shards[key] ?? [] {
      for file in index(of: shard)?.record(of: key)?.files ?? [] { files[file.name] = file }
    }
    record.files = files.values.sorted { $0.name < $1.name }
    return record
  }

  private func index(of shard: Int) -> LibraryIndex? {
    if let last, last.shard == shard { return last.index }
    let index = LibraryIndex(of: root, states[shard])
    last = (shard, index)
    return index
  }
}
