import SystemPackage

/// The results of earlier runs over a library; a run with nothing to do reads nothing else.
///
/// One file, `.phbatch/index`: a block for each folder, a table of all folders, and a seal over that
/// table, which holds a SHA-256 of each block. A run that finds every folder as it was reads the
/// table only. It is read with `pread`, so that it works on any file system, and replaced as a whole.
/// Nothing is lost with it but time; one that is damaged, of another version, by another machine, or
/// that others may write to, is as good as none.
public struct LibraryIndex: Sendable {
  static let file = OutputRoot.stateFolder.appending("index")
  /// Where a table ends: what the file is, the table's place and length, and the seal.
  static let magic = Array("phbatch index 1\n".utf8)
  static let trailerLength = magic.count + 16 + 64

  /// A folder in the table.
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

  /// Opens the index of an output root; nil if there is none to be trusted.
  public init?(of root: OutputRoot) {
    files = root.files
    guard let opened = try? files.open(Self.file),
      let entries = try? Self.entries(opened, root.files)
    else { return nil }
    file = opened
    self.entries = entries
  }

  private static func entries(
    _ file: OpenFile, _ files: RealFileSystem
  ) throws -> [FolderKey: Entry] {
    let status = try files.status(of: file)
    guard status.isPrivate, let folder = try files.status(at: OutputRoot.stateFolder),
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
    guard mark.elementsEqual(seal(table, folder).utf8) else { throw IndexReader.Illegible() }
    var reader = IndexReader(table)
    var entries: [FolderKey: Entry] = [:]
    for entry in try reader.each({ reader throws(IndexReader.Illegible) in try Entry(&reader) }) {
      entries[entry.key] = entry
    }
    return entries
  }

  /// As for journals: an index decides what is left alone, and must not come from a stranger.
  static func seal(_ table: [UInt8], _ folder: FileStatus) -> String {
    JournalSeal(folder: folder).mark(of: "index \(Digest(of: table))")
  }

  public var folders: some Collection<FolderKey> { entries.keys }

  /// True if the index has the folder with this fingerprint.
  public func holds(_ key: FolderKey, fingerprint: [UInt8]) -> Bool {
    entries[key]?.fingerprint == fingerprint
  }

  public func links(of key: FolderKey) -> Set<FolderKey> { entries[key]?.links ?? [] }

  public func summary(of key: FolderKey, recipe: [UInt8]) -> FolderRecord.Summary? {
    entries[key]?.findings.first { $0.recipe == recipe }
  }

  /// All that is known of a folder; nil if that is nothing, or damaged.
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
