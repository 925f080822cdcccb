import SystemPackage

/// The place where one shard of a library keeps its state and its lock.
public struct ShardPlace: Sendable, Hashable {
  public let state: CommitState
  /// True for a shard of a plan, which has a folder of its own until the plan is merged.
  public let isPlanned: Bool
  let lock: FilePath
  /// The file of the lock note; nil for a shard without a plan.
  let note: FilePath?

  /// The place of a shard of a plan; `plan` is the plan's identifier and `key` its secret key.
  public init(_ index: Int, of plan: String, key: [UInt8]) {
    state = .shard(index, of: plan, key: key)
    isPlanned = true
    lock = state.folder.appending("lock")
    note = state.note
  }

  /// The place of a shard without a plan.
  ///
  /// Such a shard commits in the state folder of the output root. Only one shard at a time can have
  /// the lock of commits. A journal that a shard finds is therefore from a process that has ended.
  public init(_ index: Int, of count: Int) {
    state = .library(mark: "\(index)-of-\(count)")
    isPlanned = false
    lock = CommitState.shards.appending("\(index)-of-\(count).lock")
    note = nil
  }
}
