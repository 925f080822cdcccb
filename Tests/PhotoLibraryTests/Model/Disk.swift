import PhotoLibrary
import SystemPackage

/// The names that remain after a power failure, and the bytes of their files.
struct Disk: Hashable, Sendable {
  enum Entry: Hashable, Sendable {
    case folder(Int)
    case file(Int)

    var inode: Int {
      switch self {
      case .folder(let inode), .file(let inode): inode
      }
    }
  }

  var names: [ModelPath: Entry] = [:]
  /// The bytes of each file, by its inode.
  var bytes: [Int: [UInt8]] = [:]

  init() {}

  /// Hashes the lengths of files instead of their bytes: tests compare many states of a few files.
  func hash(into hasher: inout Hasher) {
    var sum = 0
    for (path, entry) in names {
      sum &+= (Int(bitPattern: ObjectIdentifier(path)) ^ entry.inode) &* 31
    }
    for (inode, content) in bytes { sum &+= inode &* 7919 ^ content.count }
    hasher.combine(sum)
  }

  init(_ files: [FilePath: String]) {
    for (path, text) in files.sorted(by: { $0.key.string < $1.key.string }) {
      names[.of(path)] = .file(names.count + 1)
      bytes[names.count] = Array(text.utf8)
    }
  }

  /// The text of a file; nil if there is none.
  func text(_ path: FilePath) -> String? {
    guard case .file(let inode)? = names[.of(path)] else { return nil }
    return bytes[inode].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The paths of files below a folder.
  func files(below folder: FilePath) -> [ModelPath] {
    let folder = ModelPath.folder(folder)
    return names.compactMap { path, entry in
      guard case .file = entry, path.isBelow(folder) else { return nil }
      return path
    }
  }

  /// Removes unreachable content: names in folders that no longer exist, and bytes without a name.
  mutating func clean() {
    for path in names.keys.filter({ !isReachable($0) }) { names[path] = nil }
    let used = Set(names.values.map(\.inode))
    for inode in bytes.keys where !used.contains(inode) { bytes[inode] = nil }
  }

  /// True if all folders above a name exist.
  private func isReachable(_ path: ModelPath) -> Bool {
    var next = path.folder
    while let folder = next {
      guard case .folder? = names[folder] else { return false }
      next = folder.folder
    }
    return true
  }
}
