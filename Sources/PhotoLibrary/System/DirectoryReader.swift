import Glibc
import SystemCalls
import SystemPackage

/// One entry of a folder.
struct FolderEntry: Sendable {
  let name: FileName
  /// What the directory says the entry is; regular files have a status as well.
  let kind: FileStatus.Kind
  /// Nil for what is not a regular file, and for hidden names.
  let status: FileStatus?
  /// Why there is no status although one was asked for.
  let failure: Errno?
}

extension OpenFile {
  /// Lists this folder, sorted by name, asking once for each regular file's status.
  ///
  /// Files that vanish meanwhile are left out, as are `.` and `..`.
  func entries() throws(Errno) -> [FolderEntry] {
    var names: [UInt8] = []
    var found: [FoundEntry] = []
    var buffer = [UInt64](repeating: 0, count: 8_192)
    while true {
      let filled = unsafe buffer.withUnsafeMutableBytes { bytes in
        withDescriptor {
          unsafe phbatch_read_directory($0.rawValue, bytes.baseAddress, bytes.count)
        }
      }
      guard filled >= 0 else { throw Errno(rawValue: Int32(-filled)) }
      if filled == 0 { break }
      unsafe buffer.withUnsafeBytes { bytes in
        unsafe describe(UnsafeRawBufferPointer(rebasing: bytes[..<filled]), &names, &found)
      }
    }
    return sorted(found, names)
  }

  private func sorted(_ found: [FoundEntry], _ names: [UInt8]) -> [FolderEntry] {
    var places = found.indices.map { index in
      Place(found[index], FileName(bytes: names[found[index].start..<found[index].end]), index)
    }
    unsafe names.withUnsafeBytes { names in
      places.sort { unsafe $0.precedes($1, names) }
    }
    return places.map { place in
      let entry = found[place.index]
      return FolderEntry(
        name: FileName(bytes: names[entry.start..<entry.end]), kind: entry.kind,
        status: entry.status, failure: entry.failure)
    }
  }

  /// Goes through entries in the kernel's format: inode and offset of 8 bytes each, the length of
  /// the entry in 2, the type in 1, the name with a NUL.
  private func describe(
    _ entries: UnsafeRawBufferPointer, _ names: inout [UInt8], _ found: inout [FoundEntry]
  ) {
    var offset = 0
    while offset < entries.count {
      let length = unsafe Int(entries.loadUnaligned(fromByteOffset: offset + 16, as: UInt16.self))
      let type = unsafe entries[offset + 18]
      let name = unsafe UnsafeRawBufferPointer(rebasing: entries[(offset + 19)..<(offset + length)])
      let count = unsafe name.firstIndex(of: 0) ?? name.count
      offset += length
      let dot = UInt8(ascii: ".")
      if unsafe name[0] == dot, unsafe count == 1 || (count == 2 && name[1] == dot) { continue }
      guard var entry = unsafe describe(name, isHidden: name[0] == dot, type) else { continue }
      entry.start = names.count
      unsafe names.append(contentsOf: name[..<count])
      entry.end = names.count
      found.append(entry)
    }
  }

  /// Nil for a file that is gone already.
  private func describe(
    _ name: UnsafeRawBufferPointer, isHidden: Bool, _ type: UInt8
  ) -> FoundEntry? {
    let kind = FileStatus.Kind(directoryEntry: type)
    guard kind == nil || (kind == .regular && !isHidden) else {
      return FoundEntry(kind: kind ?? .other)
    }
    guard let base = unsafe name.baseAddress?.assumingMemoryBound(to: CChar.self) else {
      return nil
    }
    do throws(Errno) {
      let status = try withDescriptor { folder throws(Errno) in
        try unsafe FileStatus(of: base, in: folder)
      }
      let isNeeded = status.kind == .regular && !isHidden
      return FoundEntry(kind: status.kind, status: isNeeded ? status : nil)
    } catch {
      return error == .noSuchFileOrDirectory
        ? nil : FoundEntry(kind: kind ?? .other, failure: error)
    }
  }
}

/// An entry to be put in order; without references, which sorting would count over and over.
private struct Place {
  let prefix: UInt128
  let start: Int
  let end: Int
  let index: Int

  init(_ entry: FoundEntry, _ name: FileName, _ index: Int) {
    prefix = name.sortingPrefix
    start = entry.start
    end = entry.end
    self.index = index
  }

  func precedes(_ other: Place, _ names: UnsafeRawBufferPointer) -> Bool {
    if prefix != other.prefix { return prefix < other.prefix }
    guard let base = names.baseAddress else { return false }
    let order = unsafe memcmp(
      base + start, base + other.start, min(end - start, other.end - other.start))
    return order == 0 ? end - start < other.end - other.start : order < 0
  }
}

/// An entry whose name is still a part of a growing block.
private struct FoundEntry {
  var start = 0
  var end = 0
  let kind: FileStatus.Kind
  var status: FileStatus?
  var failure: Errno?
}

extension FileStatus.Kind {
  /// The type in a directory entry; nil where the file system does not say.
  fileprivate init?(directoryEntry type: UInt8) {
    switch Int(type) {
    case Int(DT_UNKNOWN): return nil
    case Int(DT_REG): self = .regular
    case Int(DT_DIR): self = .directory
    case Int(DT_LNK): self = .symbolicLink
    default: self = .other
    }
  }
}
