import SystemPackage

/// The results of earlier runs over a library; a run in which no photo changed reads only this
/// file.
///
/// The index is one file, `.phbatch/index`: a block for each folder, a table of all folders that
/// contains a SHA-256 of each block, and a seal over the table. A run in which no folder changed
/// reads only the table. The file is read with `pread`, which works on every file system, and is
/// replaced as a whole. If the index is missing, runs only take more time. An index that is
/// damaged, has another version, was written by another machine, or can be written by other users
/// is ignored.
public struct LibraryIndex: Sendable {
  static let file = CommitState.library.index
  /// The bytes with which the trailer at the end of the index file begins.
  ///
  /// The offset and the length of the table follow, then the seal.
  static let magic = Array("phbatch index 1\n".utf8)
  static let trailerLength = magic.count + 16 + 64

  /// The entry of a folder in the table.
  struct Entry: Sendable {
    var key: FolderKey
    var fingerprint: [UInt8]
    var links: Set<FolderKey>
    var findings: [FolderRecord.Summary]
    /// The block's offset in the file.
    var offset: UInt64
    var length: UInt64
    var digest: [UInt8]
  }

  private let files: RealFileSystem
  private let file: OpenFile
  private(set) var entries: [FolderKey: Entry]

  /// Opens the index of an output root or of a shard; nil if there is no trustworthy index.
  public init?(of root: OutputRoot, _ state: CommitState = .library) {
    files = root.files
    guard let opened = try? files.open(state.index),
      let entries = try? Self.entries(opened, root.files, state)
    else { return nil }
    file = opened
    self.entries = entries
  }

  private static func entries(
    _ file: OpenFile, _ files: RealFileSystem, _ state: CommitState
  ) throws -> [FolderKey: Entry] {
    let status = try files.status(of: file)
    guard status.isPrivate, let folder = try files.status(at: state.folder),
      folder.isPrivate
    else { throw IndexReader.Illegible() }
    let end = status.identity.size - Int64(trailerLength)
    guard end >= 0 else { throw IndexReader.Illegible() }
    var trailer = IndexReader(try files.read(file, at: end, count: trailerLength))
    guard try trailer.raw(magic.count).elementsEqual(magic) else { throw IndexReader.Illegible() }
    let offset: UInt64 = try trailer.number()
    let length: UInt64 = try trailer.number()
    let mark = try trailer.raw(64)
    guard offset <= UInt64(end), length == UInt64(end) - offset else {
      throw IndexReader.Illegible()
    }
    let table = try files.read(file, at: Int64(offset), count: Int(length))
    guard mark.elementsEqual(seal(table, folder, state).utf8) else { throw IndexReader.Illegible() }
    var reader = IndexReader(table)
    var entries: [FolderKey: Entry] = [:]
    for entry in try reader.each({ reader throws(IndexReader.Illegible) in try Entry(&reader) }) {
      entries[entry.key] = entry
    }
    return entries
  }

  /// Computes the HMAC that proves that this machine wrote the index; see `JournalSeal`.
  ///
  /// A run skips photos because of the index, so an index from another machine must not be trusted.
  static func seal(_ table: [UInt8], _ folder: FileStatus) -> String {
    seal(table, folder, .library)
  }

  /// Computes the HMAC under the key of a plan, for an index of one of its shards.
  static func seal(
    _ table: [UInt8], _ folder: FileStatus, _ state: CommitState
  ) -> String {
    let seal = state.key.map { JournalSeal(key: $0) } ?? JournalSeal(folder: folder)
    return seal.mark(of: "index \(Digest(of: table))")
  }

  public var folders: some Collection<FolderKey> { entries.keys }

  public func has(_ key: FolderKey) -> Bool { entries[key] != nil }

  /// True if the index contains the folder with this fingerprint.
  public func holds(_ key: FolderKey, fingerprint: [UInt8]) -> Bool {
    entries[key]?.fingerprint == fingerprint
  }

  /// The number of photos for which earlier runs recorded a reason that `isCounted` accepts.
  ///
  /// Photos of folders that no longer exist are counted, too.
  public func photos(where isCounted: (String) -> Bool) -> Int {
    entries.values.filter { $0.key.tree == .library }.reduce(0) { sum, entry in
      let counts = entry.findings.map { finding in
        finding.counts.filter { isCounted($0.reason) }.reduce(0) { $0 + $1.photos }
      }
      return sum + (counts.max() ?? 0)
    }
  }

  public func links(of key: FolderKey) -> Set<FolderKey> { entries[key]?.links ?? [] }

  public func summary(of key: FolderKey, recipe: [UInt8]) -> FolderRecord.Summary? {
    entries[key]?.findings.first { $0.recipe == recipe }
  }

  /// The record of a folder; nil if the index has none or the record is damaged.
  public func record(of key: FolderKey) -> FolderRecord? {
    guard let entry = entries[key], let block = block(of: entry),
      Digest(of: block).bytes == entry.digest
    else { return nil }
    return try? FolderRecord(entry, block: block)
  }

  func block(of entry: Entry) -> [UInt8]? {
    guard let offset = Int64(exactly: entry.offset), let length = Int(exactly: entry.length),
      length <= Self.longestBlock
    else { return nil }
    return try? files.read(file, at: offset, count: length)
  }

  private static let longestBlock = 1 << 31
}
