import SystemPackage

extension LibraryIndex {
  /// Replaces the index of an output root.
  ///
  /// The new index contains `records`, and the records of the folders `kept`, which are copied from
  /// `old`.
  ///
  /// Only the holder of the `LibraryLock` may call this function. The collection `records` may
  /// create a record at each access, so that not all records of a large library are in memory.
  /// Returns false if the existing index has the same content and was left unchanged. After an
  /// error the old index still exists.
  @discardableResult
  public static func write(
    in root: OutputRoot, _ state: CommitState = .library, old: LibraryIndex?,
    keeping kept: [FolderKey], _ records: some Collection<FolderRecord>
  ) throws -> Bool {
    guard !isSame(old, kept, records), let writer = try LibraryIndexWriter(in: root, state, old)
    else { return false }
    for key in kept { try writer.keep(key) }
    for record in records { try writer.add(record) }
    try writer.finish()
    return true
  }

  private static func isSame(
    _ old: LibraryIndex?, _ kept: [FolderKey], _ records: some Collection<FolderRecord>
  ) -> Bool {
    guard let old, old.entries.count == kept.count + records.count else { return false }
    return records.allSatisfy { old.holds(Entry($0)) }
  }

  /// True if the index has this entry, and its block is not damaged.
  func holds(_ entry: Entry) -> Bool {
    guard let found = entries[entry.key] else { return false }
    return found.fingerprint == entry.fingerprint && found.links == entry.links
      && found.findings == entry.findings && found.digest == entry.digest
      && record(of: entry.key) != nil
  }
}

extension LibraryIndex.Entry {
  init(_ record: FolderRecord) {
    self.init(
      key: record.key, fingerprint: record.fingerprint, links: record.links,
      findings: record.findings.map(\.summary), offset: 0, length: 0,
      digest: Digest(of: record.block).bytes)
  }
}
