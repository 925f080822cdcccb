import Glibc
import SystemCalls
import SystemPackage

/// One entry of a folder.
struct FolderEntry: Sendable {
  let name: FileName
  /// The entry's kind; read from the status if the directory does not record it.
  let kind: FileStatus.Kind
  /// The file's status; nil for entries that are not regular files, and for hidden names.
  let status: FileStatus?
  /// The error if reading the status failed; nil otherwise, and for hidden names.
  let failure: Errno?
}

extension OpenFile {
  /// Lists this folder, sorted by name.
  ///
  /// The status of each regular file is read once.
  ///
  /// Files that vanish during the call are omitted, as are `.` and `..`.
  func entries() throws(Errno) -> [FolderEntry] { try listing().sorted() }

  /// Lists this folder in the order of the directory; otherwise the same as `entries`.
  func listing() throws(Errno) -> FolderListing {
    try withDescriptor { folder throws(Errno) in
      var listing = FolderListing()
      var unknown: [Int] = []
      var buffer = [UInt64](repeating: 0, count: 8_192)
      while true {
        let filled = unsafe buffer.withUnsafeMutableBytes { bytes in
          unsafe phbatch_read_directory(folder.rawValue, bytes.baseAddress, bytes.count)
        }
        // The kernel reports a folder that was removed while it is open as missing; it is empty.
        if filled == 0 || filled == -Int(ENOENT) { break }
        guard filled > 0 else { throw Errno(rawValue: Int32(-filled)) }
        unsafe buffer.withUnsafeBytes { bytes in
          unsafe listing.append(UnsafeRawBufferPointer(rebasing: bytes[..<filled]), &unknown)
        }
      }
      listing.describe(in: folder, unknown)
      return listing
    }
  }
}

extension FolderListing {
  /// Appends entries in the kernel's format: inode (8 bytes), offset (8), length of the entry (2),
  /// type (1), and the name with a NUL.
  ///
  /// The indices of entries of unknown kind are appended to `unknown`.
  fileprivate mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ unknown: inout [Int]
  ) {
    let dot = UInt8(ascii: ".")
    var offset = 0
    while offset < bytes.count {
      let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt16.self))
      let type = unsafe bytes[offset + 18]
      let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[(offset + 19)..<(offset + length)])
      offset += length
      guard let base = unsafe name.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        continue
      }
      let count = unsafe strnlen(base, name.count)
      if unsafe name[0] == dot, unsafe count == 1 || (count == 2 && name[1] == dot) { continue }
      guard let length = UInt8(exactly: count), let start = UInt32(exactly: names.count) else {
        continue
      }
      let kind = FileStatus.Kind(directoryEntry: type)
      if kind == nil { unknown.append(entries.count) }
      entries.append(Entry(start: start, length: length, kind: kind ?? .other))
      unsafe names.append(contentsOf: name[..<count])
      names.append(0)
    }
  }

  /// Reads the status of each regular file and of each entry of unknown kind.
  ///
  /// The status of hidden files is read too, because a rendition may be hidden, and the fingerprint
  /// of the folder must change with the rendition.
  fileprivate mutating func describe(in folder: FileDescriptor, _ unknown: [Int]) {
    var isAnyGone = false
    let asked = Set(unknown)
    unsafe names.withUnsafeBytes { names in
      guard let base = unsafe names.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
      for index in entries.indices {
        let isUnknown = !asked.isEmpty && asked.contains(index)
        let start = Int(entries[index].start)
        guard isUnknown || entries[index].kind == .regular else { continue }
        let result = unsafe phbatch_status(folder.rawValue, base + start, &entries[index].status)
        if result == 0 {
          let kind = FileStatus.Kind(mode: entries[index].status.mode)
          entries[index].kind = kind
          if kind != .regular { entries[index].status = phbatch_status() }
        } else if result == -ENOENT {
          isAnyGone = true
          entries[index].length = 0
        } else {
          entries[index].failure = UInt16(clamping: -result)
        }
      }
    }
    if isAnyGone { entries.removeAll { $0.length == 0 } }
  }
}

extension FileStatus.Kind {
  /// The kind that a directory entry states; nil if the file system does not state a kind.
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
