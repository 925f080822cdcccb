extension OutputRoot {
  /// Adds the renditions that shards published to the ledger of the output root.
  ///
  /// Only the holder of the exclusive `LibraryLock` may call this function. It can be called again
  /// after a crash.
  public func joinLedgers(
    of shards: [CommitState], durability: Durability
  ) throws(FileSystemError) {
    let saver = Saver(files: files, durability: durability)
    let ledger = RenditionLedger(files)
    for state in shards { try ledger.add(RenditionLedger(files, state), saver) }
    try ledger.prepare()
  }
}
