import SystemPackage

extension Publisher {
  /// Waits until this publisher may commit, and returns the locks that it then holds.
  ///
  /// Shards of one plan have different photos, so they commit at the same time. Shards of another
  /// plan may have the same photos; if there are any, only one shard at a time commits.
  func lockCommits() throws(FileSystemError) -> [Files.File] {
    let own = try files.lock(place.lock, .exclusive)
    if place.folder == CommitState.library.folder { return [own] }
    // A plan has its folder before its first commit. A shard that does not see the folder of
    // another plan while it holds the shared lock has therefore committed before the other shard
    // gets the exclusive lock.
    if let shared = try lockShared() { return [own, shared] }
    return [own, try files.lock(CommitState.library.lock, .exclusive)]
  }

  /// The shared lock of the library's commits; nil if there is another plan.
  private func lockShared() throws(FileSystemError) -> Files.File? {
    let shared = try files.lock(CommitState.library.lock, .shared)
    return try isAmongPlans() ? nil : shared
  }

  /// True if the folder of another plan exists.
  private func isAmongPlans() throws(FileSystemError) -> Bool {
    let own = place.folder.removingLastComponent()
    for name in try files.names(in: CommitState.shards) {
      guard let component = name.component else { continue }
      let folder = CommitState.shards.appending(component)
      if folder != own, try files.status(at: folder)?.kind == .directory { return true }
    }
    return false
  }
}
