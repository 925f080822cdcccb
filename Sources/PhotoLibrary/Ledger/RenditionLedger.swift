import Synchronization
import SystemPackage

/// The digests of the renditions that were published below an output root: `.phbatch/published`.
///
/// The ledger identifies a file as a rendition even if the rendition's sidecar is lost, older or
/// replaced. A digest is appended before its file gets its final name, and stays after the file was
/// replaced or removed. The ledger may be deleted: renditions are then recognized only by their
/// sidecars and paths.
///
/// After a header, the file contains records of 40 bytes. A damaged record matches no file. Only
/// the holder of the `LibraryLock` writes to the ledger; other processes may read it at any time.
public struct RenditionLedger<Files: FileSystem>: Sendable {
  let files: Files
  /// The path of the ledger of all commands except shards.
  static var path: FilePath { CommitState.library.ledger }
  private let path: FilePath

  public init(_ files: Files, _ state: CommitState = .library) {
    self.files = files
    path = state.ledger
  }

  private static var title: [UInt8] { Array("phbatch renditions 1\n".utf8) }
  /// The maximum number of records that a compaction keeps; they take 160 MB.
  private static var limit: Int { 4_000_000 }
  /// The number of records that are read at a time.
  private static var chunk: Int { 16_384 }

  /// The first 40 bytes; `count` is the number of records after the last compaction.
  private static func header(_ count: Int) -> [UInt8] {
    let padding = [UInt8](repeating: 0x20, count: PublishedRendition.size - 8 - title.count)
    return title + padding + DigestPrefix.bytes(UInt64(count))
  }

  /// The number of records after the last compaction; nil if the file is not a ledger.
  private static func compactedCount(_ header: [UInt8]) -> Int? {
    guard header.count >= PublishedRendition.size, header.starts(with: title) else { return nil }
    let word = unsafe header.withUnsafeBytes {
      unsafe DigestPrefix.word($0, at: PublishedRendition.size - 8)
    }
    return Int(exactly: word)
  }

  /// Creates the ledger if it is missing or damaged, and compacts it if it has about doubled since
  /// the last compaction.
  func prepare() throws(FileSystemError) {
    guard let status = try files.status(at: path) else {
      return try files.replace(path, with: Self.header(0))
    }
    let size = PublishedRendition.size
    let file = try files.open(path)
    let count = Int(status.identity.size) / size - 1
    let isWhole = Int(status.identity.size) % size == 0
    let compacted = Self.compactedCount(try files.read(file, at: 0, count: size))
    if let compacted, isWhole, count <= 2 * compacted + 65_536 { return }
    if compacted == nil { return try files.replace(path, with: Self.header(0)) }
    try compact(file, from: max(0, count - Self.limit), count: min(count, Self.limit))
  }

  /// Rewrites the ledger with the records from the index `first` on, without duplicates.
  ///
  /// The ledger is read twice, so that only the fingerprints are in memory, not the records.
  private func compact(
    _ file: Files.File, from first: Int, count: Int
  ) throws(FileSystemError) {
    var unwritten = Set<UInt64>(minimumCapacity: count)
    try read(file, from: first) { records in
      for record in records { unwritten.insert(record.fingerprint) }
    }
    let header = Self.header(unwritten.count)
    try files.replace(path) { target throws(FileSystemError) in
      try files.write(header, to: target)
      try read(file, from: first) { records throws(FileSystemError) in
        let kept = records.filter { unwritten.remove($0.fingerprint) != nil }
        try files.write(Array(kept.map(\.bytes).joined()), to: target)
      }
    }
  }

  /// Adds records, and returns when they would survive a power failure.
  func append(
    _ renditions: [PublishedRendition], _ saver: Saver<Files>
  ) throws(FileSystemError) {
    if renditions.isEmpty { return }
    // A full disk may have cut off the last record; records after it would be read wrongly.
    let size = try files.status(at: path)?.identity.size ?? 0
    if size == 0 || Int(size) % PublishedRendition.size != 0 { try prepare() }
    let file = try files.openAtEnd(path)
    try files.write(Array(renditions.map(\.bytes).joined()), to: file)
    try saver.save(file)
  }

  /// The records of renditions with one of these digests or sizes; none if the ledger is missing or
  /// unreadable.
  public func records(of digests: Set<Digest>, sizes: Set<Int64>) -> [PublishedRendition] {
    records(
      of: digests, sizes: sizes, in: Extent(file: try? files.open(path), length: .max))
  }

  /// The records that an open ledger has, without records that are added later.
  public struct Extent: Sendable {
    /// The open file, which stays the same when the ledger is compacted; nil if the ledger is missing
    /// or unreadable.
    fileprivate let file: Files.File?
    /// The length of the file in bytes.
    fileprivate let length: Int64
  }

  /// The records that the ledger has now.
  public var extent: Extent {
    let file = try? files.open(path)
    let status = file.flatMap { try? files.status(of: $0) }
    return Extent(file: file, length: status?.identity.size ?? 0)
  }

  /// The records in a part of the ledger with one of these digests or sizes.
  public func records(
    of digests: Set<Digest>, sizes: Set<Int64>, in extent: Extent
  ) -> [PublishedRendition] {
    if digests.isEmpty && sizes.isEmpty { return [] }
    guard let file = extent.file,
      let header = try? files.read(file, at: 0, count: PublishedRendition.size),
      Self.compactedCount(header) != nil
    else { return [] }
    let prefixes = Set(digests.map { DigestPrefix($0) })
    // The last two bytes of each record's size are compared first, which excludes most records
    // quickly.
    var endings = [Bool](repeating: false, count: 1 << 16)
    for size in sizes.union(digests.map(\.count)) { endings[Int(size & 0xFFFF)] = true }
    var found: Set<PublishedRendition> = []
    // The records that were read before an error are valid.
    try? read(file, from: 0, to: extent.length, endings) { records in
      for record in records
      where sizes.contains(record.count) || prefixes.contains(record.digest) {
        found.insert(record)
      }
    }
    return Array(found)
  }

  /// The fingerprints of the records that were read from a ledger.
  struct Fingerprints: Sendable {
    fileprivate(set) var values: Set<UInt64> = []
    /// The ledger that was read; nil before the first reading.
    ///
    /// It stays open, so that a ledger that replaces it has another inode.
    fileprivate var file: Files.File?
    fileprivate var inode: UInt64?
    /// The number of records that were read.
    fileprivate var count = 0
  }

  /// Adds the fingerprints of the records that were appended since the last reading; adds none if
  /// the ledger is missing or unreadable.
  func read(into found: inout Fingerprints) {
    guard let file = try? files.open(path), let ledger = try? files.status(of: file).identity,
      let header = try? files.read(file, at: 0, count: PublishedRendition.size),
      Self.compactedCount(header) != nil
    else { return }
    let count = Int(ledger.size) / PublishedRendition.size - 1
    if ledger.inode != found.inode || count < found.count {
      found = Fingerprints(file: file, inode: ledger.inode)
      found.values.reserveCapacity(min(count, Self.limit))
    }
    if count == found.count { return }
    var values = found.values
    found.values = []
    // The records that were read before an error are valid.
    try? read(file, from: found.count, to: ledger.size) { records in
      for record in records { values.insert(record.fingerprint) }
    }
    found.values = values
    found.count = count
  }

  /// Reads the records from the index `first` on in groups, and ignores an incomplete last record.
  ///
  /// Records that end after `end` bytes of the file are left out.
  ///
  /// If `endings` is not empty, only records with sizes whose last two bytes are marked in it are
  /// read.
  private func read(
    _ file: Files.File, from first: Int, to end: Int64 = .max, _ endings: [Bool] = [],
    _ body: ([PublishedRendition]) throws(FileSystemError) -> Void
  ) throws(FileSystemError) {
    let size = PublishedRendition.size
    var offset = Int64((first + 1) * size)
    while true {
      let count = Int(min(Int64(Self.chunk * size), max(0, end - offset)))
      let bytes = try files.read(file, at: offset, count: count)
      func isWanted(_ start: Int) -> Bool {
        if endings.isEmpty { return true }
        let (high, low) = (Int(bytes[start + 6]), Int(bytes[start + 7]))
        return endings[high << 8 | low]
      }
      let wanted = stride(from: 0, through: bytes.count - size, by: size).filter(isWanted)
      let records = unsafe bytes.withUnsafeBytes { bytes in
        wanted.compactMap { start in
          unsafe PublishedRendition(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + size)]))
        }
      }
      try body(records)
      if bytes.count < Self.chunk * size { return }
      offset += Int64(bytes.count)
    }
  }
}

/// The renditions in the ledger of an output root.
///
/// The ledger is read when the first rendition is searched; the records that were appended since
/// then are read when a rendition is not found.
public final class PublishedRenditions: Sendable {
  private let ledger: RenditionLedger<RealFileSystem>
  private let fingerprints = Mutex(RenditionLedger<RealFileSystem>.Fingerprints())

  init(_ files: RealFileSystem) { ledger = RenditionLedger(files) }

  /// True if a published rendition has this digest and was rendered from one of these originals.
  public func contain(_ rendition: Digest, of originals: [Digest]) -> Bool {
    let sought = (originals + [nil]).map {
      PublishedRendition(rendition, original: $0).fingerprint
    }
    return fingerprints.withLock { known in
      if sought.contains(where: known.values.contains) { return true }
      ledger.read(into: &known)
      return sought.contains(where: known.values.contains)
    }
  }
}

extension RenditionLedger {
  /// Adds the records of a shard's ledger; duplicates disappear with the next compaction.
  func add(_ other: RenditionLedger, _ saver: Saver<Files>) throws(FileSystemError) {
    guard try files.status(at: other.path) != nil else { return }
    try prepare()
    try other.read(try files.open(other.path), from: 0) { records throws(FileSystemError) in
      try append(records, saver)
    }
  }
}
