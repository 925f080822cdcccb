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

  var names: [FilePath: Entry] = [:]
  /// The bytes of each file, by its inode.
  var bytes: [Int: [UInt8]] = [:]

  init() {}

  /// Hashes the inodes and the lengths of files only: tests compare many states of a few files.
  func hash(into hasher: inout Hasher) {
    hasher.combine(names.values.reduce(0) { $0 &+ ($1.inode &+ 1) &* 31 })
    hasher.combine(bytes.reduce(0) { $0 &+ ($1.key &* 7919 ^ $1.value.count) })
  }

  init(_ files: [FilePath: String]) {
    for (path, text) in files.sorted(by: { $0.key.string < $1.key.string }) {
      names[path] = .file(names.count + 1)
      bytes[names.count] = Array(text.utf8)
    }
  }

  /// The text of a file; nil if there is none.
  func text(_ path: FilePath) -> String? {
    guard case .file(let inode)? = names[path] else { return nil }
    return bytes[inode].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The paths of files below a folder.
  func files(below folder: FilePath) -> [FilePath] {
    names.keys.filter { path in
      guard case .file? = names[path] else { return false }
      return path.starts(with: folder)
    }
  }

  /// Removes unreachable content: names in folders that no longer exist, and bytes without a name.
  mutating func clean() {
    for path in names.keys.sorted(by: { $0.length < $1.length }) {
      let parent = path.removingLastComponent()
      if parent.isEmpty { continue }
      if case .folder? = names[parent] { continue }
      names[path] = nil
    }
    let used = Set(names.values.map(\.inode))
    bytes = bytes.filter { used.contains($0.key) }
  }
}
