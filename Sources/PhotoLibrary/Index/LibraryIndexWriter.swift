import SystemPackage

/// Writes a new index folder by folder, so that only the table of folders is in memory.
///
/// Only the holder of the `LibraryLock` may use it. The old index exists until `finish`, and also
/// after an error.
public final class LibraryIndexWriter {
  private let root: OutputRoot
  private let state: CommitState
  private let old: LibraryIndex?
  private let folder: FileStatus
  private let temporary: FilePath
  private let file: OpenFile
  private var table = IndexWriter()
  private var count: UInt32 = 0
  private var length: UInt64 = 0
  private var isOver = false
  /// True if the old index has all entries that were added.
  private var isSame: Bool

  /// Begins an index; nil if the state folder is missing.
  public init?(
    in root: OutputRoot, _ state: CommitState = .library, _ old: LibraryIndex?
  ) throws(FileSystemError) {
    guard let folder = try root.files.status(at: state.folder) else { return nil }
    (self.root, self.state, self.old, self.folder) = (root, state, old, folder)
    isSame = old != nil
    // The name is fixed, so that a run that is killed here leaves at most one file behind.
    temporary = state.folder.appending("index.new")
    if try root.files.status(at: temporary) != nil { try root.files.remove(temporary) }
    file = try root.files.create(temporary)
  }

  deinit { if !isOver { try? root.files.remove(temporary) } }

  public func add(_ record: FolderRecord) throws(FileSystemError) {
    let entry = LibraryIndex.Entry(record)
    isSame = isSame && old?.holds(entry) ?? false
    try add(entry, record.block)
  }

  /// Copies the record of a folder from the old index.
  ///
  /// - Throws: An error if the old index does not have it.
  public func keep(_ key: FolderKey) throws {
    guard let entry = old?.entries[key], let block = old?.block(of: entry) else {
      throw IndexReader.Illegible()
    }
    try add(entry, block)
  }

  private func add(_ entry: LibraryIndex.Entry, _ block: [UInt8]) throws(FileSystemError) {
    var entry = entry
    entry.offset = length
    entry.length = UInt64(block.count)
    try root.files.write(block, to: file)
    length += entry.length
    count += 1
    entry.write(to: &table)
  }

  /// Replaces the old index, unless it has the same content.
  ///
  /// Returns false if the old index was left unchanged.
  @discardableResult
  public func finish() throws(FileSystemError) -> Bool {
    if isSame, let old, old.entries.count == Int(count) { return false }
    var start = IndexWriter()
    start.add(count)
    let table = start.bytes + table.bytes
    var trailer = IndexWriter()
    trailer.add(raw: LibraryIndex.magic)
    trailer.add(length)
    trailer.add(UInt64(table.count))
    trailer.add(raw: LibraryIndex.seal(table, folder, state).utf8)
    try root.files.write(table + trailer.bytes, to: file)
    // The file is not synchronized: if a power failure leaves it incomplete, the seal does not
    // match.
    try root.files.rename(temporary, to: state.index, .replacing)
    isOver = true
    return true
  }
}
