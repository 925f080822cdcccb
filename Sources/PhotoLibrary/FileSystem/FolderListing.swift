import Hashing
import SystemCalls
import SystemPackage

/// A folder's entries, in the kernel's order and nearly in its format.
///
/// A listing uses two blocks of memory for any number of entries. In a library of 100,000 photos a
/// run only compares most listings with the index, and seldom needs their entries one by one.
struct FolderListing: Sendable {
  /// An entry has 56 bytes and no padding, because the entries are hashed as raw memory.
  struct Entry: Sendable {
    /// The file's status; all bytes are zero for entries that are not regular files.
    var status = phbatch_status()
    /// The offset of the name in `names`.
    var start: UInt32
    /// The length of the name, 1 to 255 bytes.
    var length: UInt8
    var kind: FileStatus.Kind
    /// The error number if the status was requested and could not be read; 0 otherwise.
    var failure: UInt16 = 0
  }

  var entries: [Entry] = []
  /// The names, each with a zero byte after it.
  var names: [UInt8] = []

  func name(of entry: Entry) -> FileName {
    FileName(bytes: names[Int(entry.start)..<Int(entry.start) + Int(entry.length)])
  }

  /// True if an entry has this name, and this kind if one is given.
  func holds(_ name: FileName, kind: FileStatus.Kind? = nil) -> Bool {
    entries.contains { entry in
      Int(entry.length) == name.bytes.count && (kind == nil || entry.kind == kind)
        && names[Int(entry.start)..<Int(entry.start) + Int(entry.length)] == name.bytes
    }
  }

  /// The latest change of any file's bytes, name or permissions, in nanoseconds since 1970.
  var newest: Int64 {
    entries.reduce(0) { max($0, $1.status.modified, $1.status.changed) }
  }

  /// A SHA-256 of `context` and of all names, kinds and identities.
  ///
  /// `context` contains the ignore rules that apply to the folder. If `trustsInodes` is false, the
  /// inode numbers are left out, because the file system does not keep them stable.
  func fingerprint(_ context: [UInt8], trustsInodes: Bool) -> [UInt8] {
    var hash = Hash(.sha256)
    hash.update(context)
    var entries = entries
    if !trustsInodes { for index in entries.indices { entries[index].status.inode = 0 } }
    unsafe entries.withUnsafeBytes { unsafe hash.update($0) }
    hash.update(names)
    return hash.finish()
  }

  /// The entries sorted by name.
  func sorted() -> [FolderEntry] {
    var places = entries.indices.map { Place(name(of: entries[$0]), $0) }
    places.sort { $0.precedes($1, self) }
    return places.map { place in
      let entry = entries[place.index]
      let name = name(of: entry)
      let hasStatus = entry.status.mode != 0 && !name.isHidden
      return FolderEntry(
        name: name, kind: entry.kind, status: hasStatus ? FileStatus(entry.status) : nil,
        failure: entry.failure == 0 || name.isHidden
          ? nil : Errno(rawValue: Int32(entry.failure)))
    }
  }
}

/// The position of an entry, for sorting.
///
/// It contains no references, because Swift would retain and release them at each comparison.
private struct Place {
  let prefix: UInt128
  let index: Int

  init(_ name: FileName, _ index: Int) {
    prefix = name.sortingPrefix
    self.index = index
  }

  func precedes(_ other: Place, _ listing: FolderListing) -> Bool {
    if prefix != other.prefix { return prefix < other.prefix }
    return listing.name(of: listing.entries[index])
      < listing.name(of: listing.entries[other.index])
  }
}
