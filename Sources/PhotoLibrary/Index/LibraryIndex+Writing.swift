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
    guard !isSame(old, kept, records) else { return false }
    guard let folder = try root.files.status(at: state.folder) else { return false }
    // The name is fixed, so that a run that is killed here leaves at most one file behind.
    let temporary = state.folder.appending("index.new")
    if try root.files.status(at: temporary) != nil { try root.files.remove(temporary) }
    let file = try root.files.create(temporary)
    do {
      var table = IndexWriter()
      table.add(UInt32(truncatingIfNeeded: kept.count + records.count))
      var length: UInt64 = 0
      func add(_ entry: Entry, _ block: [UInt8]) throws {
        var entry = entry
        entry.offset = length
        entry.length = UInt64(block.count)
        try root.files.write(block, to: file)
        length += entry.length
        entry.write(to: &table)
      }
      for key in kept {
        guard let entry = old?.entries[key], let block = old?.block(of: entry) else {
          throw IndexReader.Illegible()
        }
        try add(entry, block)
      }
      for record in records { try add(Entry(record), record.block) }
      var trailer = IndexWriter()
      trailer.add(raw: magic)
      trailer.add(length)
      trailer.add(UInt64(table.bytes.count))
      trailer.add(raw: seal(table.bytes, folder, state).utf8)
      try root.files.write(table.bytes + trailer.bytes, to: file)
      // The file is not synchronized: if a power failure leaves it incomplete, the seal does not
      // match.
      try root.files.rename(temporary, to: state.index, .replacing)
    } catch {
      try? root.files.remove(temporary)
      throw error
    }
    return true
  }

  private static func isSame(
    _ old: LibraryIndex?, _ kept: [FolderKey], _ records: some Collection<FolderRecord>
  ) -> Bool {
    guard let old, old.entries.count == kept.count + records.count else { return false }
    return records.allSatisfy { record in
      let entry = Entry(record)
      guard let found = old.entries[record.key] else { return false }
      return found.fingerprint == entry.fingerprint && found.links == entry.links
        && found.findings == entry.findings && found.digest == entry.digest
        && old.record(of: record.key) != nil
    }
  }
}

extension LibraryIndex.Entry {
  fileprivate init(_ record: FolderRecord) {
    self.init(
      key: record.key, fingerprint: record.fingerprint, links: record.links,
      findings: record.findings.map(\.summary), offset: 0, length: 0,
      digest: Digest(of: record.block).bytes)
  }
}
