import Glibc
import PhotoLibrary
import Synchronization
import SystemPackage
import TestRandom

/// A model of a file system in which a power failure may lose any data that was not synchronized.
///
/// Changes of folders are pending until one of these folders is synchronized.
///
/// A power failure may keep any subset of the pending changes, in their order, and may truncate any
/// file with bytes that were not synchronized.
/// - Source: the assumptions of Pillai et al., "All File Systems Are Not Created Equal", OSDI 2014.
final class ModelFileSystem: FileSystem {
  struct File: Sendable {
    let inode: Int
    let path: FilePath
  }

  /// A deliberate mistake or limitation of this file system, or of the code that uses it.
  struct Weakening: Sendable {
    /// Returns true to omit a call to synchronize; its argument includes the names that exist at
    /// that time.
    var skips: @Sendable (Synchronized, Set<FilePath>) -> Bool = { _, _ in false }
    /// True if a power failure loses all journals.
    var losesJournals = false
    /// True if a crash loses only later calls: a crash of the process, not a power failure.
    var isOrdered = false
    /// True if only `.replacing` is supported, as on NFS.
    var isPlain = false

    enum Synchronized {
      case file(FilePath)
      case folder(FilePath)
    }
  }

  /// An edit that another program makes once, right before a call.
  struct Edit: Sendable {
    let path: FilePath
    let text: String
    /// True if the other program writes into the existing file instead of replacing it.
    let isInPlace: Bool
    /// The index of the call that follows the edit, counted from 1.
    let call: Int
  }

  /// A state of the disk after a power failure.
  struct Crash: Hashable {
    let disk: Disk
    /// True if the other program has made its edit.
    let isEdited: Bool
  }

  private let state: Mutex<State>
  private let weakening: Weakening
  private let edit: Edit?

  private struct State {
    var files: [Int: Contents] = [:]
    /// The names that programs see now.
    var names: [FilePath: Disk.Entry] = [:]
    /// The names that are synchronized, and thus remain after a power failure.
    var saved: [FilePath: Disk.Entry] = [:]
    var pending: [Change] = []
    var nextInode = 1
    var clock: Int64 = 1
    var calls = 0
    var isEdited = false
    var crashes: Set<Crash> = []
  }

  private struct Contents {
    var bytes: [UInt8] = []
    var isSaved = false
    var modified: Int64 = 0
    var changed: Int64 = 0
  }

  /// The changes of folders by one call: all of them or none remain after a power failure.
  private struct Change {
    var effects: [FilePath: Disk.Entry?]
    var folders: Set<FilePath> { Set(effects.keys.map { $0.removingLastComponent() }) }
  }

  init(_ disk: Disk, _ weakening: Weakening = Weakening(), edit: Edit? = nil) {
    var state = State()
    state.names = disk.names
    state.saved = disk.names
    state.files = disk.bytes.mapValues { Contents(bytes: $0, isSaved: true) }
    state.nextInode = (disk.names.values.map(\.inode).max() ?? 0) + 1
    self.state = Mutex(state)
    self.weakening = weakening
    self.edit = edit
  }

  /// The state that programs see now.
  var disk: Disk { state.withLock { Self.disk($0.names, $0) } }

  /// Every state of the disk that a power failure could have left, at any moment until now.
  func crashes() -> Set<Crash> {
    state.withLock { state in
      collect(&state)
      return state.crashes
    }
  }

  /// The states that a power failure could leave now.
  func crashesNow() -> Set<Crash> {
    state.withLock { state in
      state.crashes = []
      collect(&state)
      return state.crashes
    }
  }

  private static func disk(_ names: [FilePath: Disk.Entry], _ state: State) -> Disk {
    var disk = Disk()
    disk.names = names
    disk.bytes = state.files.mapValues(\.bytes)
    disk.clean()
    return disk
  }
}

extension ModelFileSystem {
  /// The maximum number of subsets of pending changes that are tried completely; if there are more,
  /// subsets are sampled.
  private static let mostSubsets = 2_048

  /// Collects the states that a power failure could leave.
  ///
  /// Between two calls that synchronize, pending changes are only added. It is therefore enough to
  /// collect the states before each such call and at the end.
  private func collect(_ state: inout State) {
    if weakening.isOrdered {
      state.crashes.insert(
        Crash(disk: Self.disk(state.names, state), isEdited: state.isEdited))
      return
    }
    let torn = state.files.filter { inode, file in
      !file.isSaved && !file.bytes.isEmpty
        && (state.names.values.contains(.file(inode)) || state.saved.values.contains(.file(inode)))
    }.keys.sorted()
    let bits = state.pending.count + torn.count
    if bits < 12 && 1 << bits <= Self.mostSubsets {
      for subset in 0..<(1 << bits) { insert(UInt64(subset), torn, &state) }
      return
    }
    // If there are too many subsets: the changes up to each call, with complete and with truncated
    // files, and then random subsets.
    let files = ~((UInt64(1) << UInt64(state.pending.count)) - 1)
    for count in 0...state.pending.count {
      let changes = (UInt64(1) << UInt64(count)) - 1
      insert(changes, torn, &state)
      insert(changes | files, torn, &state)
    }
    var random = SeededGenerator(seed: 1)
    for _ in 0..<Self.mostSubsets { insert(random.next(), torn, &state) }
  }

  /// Adds the state with these pending changes and with these files complete.
  ///
  /// Each bit of `subset` selects a change, then a file, lowest bit first.
  private func insert(_ subset: UInt64, _ torn: [Int], _ state: inout State) {
    var disk = Disk()
    disk.names = state.saved
    for (bit, change) in state.pending.enumerated() where subset >> UInt64(bit) & 1 == 1 {
      for (path, entry) in change.effects { disk.names[path] = entry }
    }
    disk.bytes = state.files.mapValues(\.bytes)
    for (bit, inode) in torn.enumerated()
    where subset >> UInt64(state.pending.count + bit) & 1 == 0 {
      disk.bytes[inode] = disk.bytes[inode].map { Array($0.prefix($0.count / 2)) }
    }
    if weakening.losesJournals {
      for path in disk.files(below: ".phbatch/txn") { disk.names[path] = nil }
    }
    disk.clean()
    state.crashes.insert(Crash(disk: disk, isEdited: state.isEdited))
  }

  /// Runs a call that makes a change, after the edit of the other program if it is due.
  private func call<Value>(
    _ body: (inout State) throws(FileSystemError) -> Value
  ) throws(FileSystemError) -> Value {
    let edit = edit
    return try state.withLock { (state: inout sending State) throws(FileSystemError) -> Value in
      if weakening.isOrdered { collect(&state) }
      state.calls += 1
      state.clock += 1
      if let edit, edit.call == state.calls {
        collect(&state)
        Self.perform(edit, &state)
      }
      return try body(&state)
    }
  }

  /// The other program synchronizes its bytes, and thereby all pending changes.
  private static func perform(_ edit: Edit, _ state: inout State) {
    guard case .file(let inode)? = state.names[edit.path] else { return }
    state.isEdited = true
    state.saved = state.names
    state.pending = []
    let target = edit.isInPlace ? inode : state.nextInode
    if !edit.isInPlace { state.nextInode += 1 }
    state.files[target] = Contents(
      bytes: Array(edit.text.utf8), isSaved: true, modified: state.clock, changed: state.clock)
    state.names[edit.path] = .file(target)
    state.saved[edit.path] = .file(target)
  }

  private static func change(_ effects: [FilePath: Disk.Entry?], _ state: inout State) {
    for (path, entry) in effects { state.names[path] = entry }
    state.pending.append(Change(effects: effects))
  }

  private static func checkParent(
    _ path: FilePath, _ call: FileSystemError.Call, _ state: State
  ) throws(FileSystemError) {
    let parent = path.removingLastComponent()
    if parent.isEmpty { return }
    guard case .folder? = state.names[parent] else {
      throw FileSystemError(call, path, .noSuchFileOrDirectory)
    }
  }
}

extension ModelFileSystem {
  func create(_ path: FilePath) throws(FileSystemError) -> File {
    try call { state throws(FileSystemError) in
      try Self.checkParent(path, .create, state)
      guard state.names[path] == nil else {
        throw FileSystemError(.create, path, .fileExists)
      }
      let inode = state.nextInode
      state.nextInode += 1
      state.files[inode] = Contents(modified: state.clock, changed: state.clock)
      Self.change([path: .file(inode)], &state)
      return File(inode: inode, path: path)
    }
  }

  func open(_ path: FilePath) throws(FileSystemError) -> File {
    try state.withLock { (state: inout sending State) throws(FileSystemError) -> File in
      switch state.names[path] {
      case .file(let inode): return File(inode: inode, path: path)
      case .folder: throw FileSystemError(.open, path, .isDirectory)
      case nil: throw FileSystemError(.open, path, .noSuchFileOrDirectory)
      }
    }
  }

  func openAtEnd(_ path: FilePath) throws(FileSystemError) -> File { try open(path) }

  func read(_ file: File, at offset: Int64, count: Int) throws(FileSystemError) -> [UInt8] {
    state.withLock {
      Array($0.files[file.inode, default: Contents()].bytes.dropFirst(Int(offset)).prefix(count))
    }
  }

  func write(_ bytes: [UInt8], to file: File) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      state.files[file.inode]?.bytes += bytes
      state.files[file.inode]?.isSaved = false
      state.files[file.inode]?.modified = state.clock
    }
  }

  func setPermissions(_ permissions: FilePermissions, of file: File) throws(FileSystemError) {}

  func startSynchronizing(_ file: File) {}

  func synchronize(_ file: File) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      collect(&state)
      if weakening.skips(.file(file.path), Set(state.names.keys)) { return }
      state.files[file.inode]?.isSaved = true
    }
  }

  func synchronize(folder: FilePath) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      collect(&state)
      if weakening.skips(.folder(folder), Set(state.names.keys)) { return }
      var rest: [Change] = []
      for change in state.pending {
        guard change.folders.contains(folder) else {
          rest.append(change)
          continue
        }
        for (path, entry) in change.effects {
          state.saved[path] = entry
          // This change replaces earlier changes of the same name.
          for index in rest.indices { rest[index].effects[path] = nil }
        }
      }
      state.pending = rest.filter { !$0.effects.isEmpty }
    }
  }

  func status(of file: File) throws(FileSystemError) -> FileStatus {
    state.withLock { Self.status(.file(file.inode), $0) }
  }

  func status(at path: FilePath) throws(FileSystemError) -> FileStatus? {
    state.withLock { state in
      path.isEmpty
        ? Self.status(.folder(0), state) : state.names[path].map { Self.status($0, state) }
    }
  }

  private static func status(_ entry: Disk.Entry, _ state: State) -> FileStatus {
    let contents = state.files[entry.inode] ?? Contents()
    let identity = FileIdentity(
      inode: UInt64(entry.inode), size: Int64(contents.bytes.count), modified: contents.modified,
      changed: contents.changed)
    var isFolder = false
    if case .folder = entry { isFolder = true }
    return FileStatus(
      kind: isFolder ? .directory : .regular, permissions: [.ownerReadWrite], identity: identity,
      owner: geteuid(), born: 1)
  }

  func names(in folder: FilePath) throws(FileSystemError) -> [FileName] {
    state.withLock { state in
      state.names.keys.filter { $0.removingLastComponent() == folder }
        .compactMap { $0.lastComponent.map { FileName($0) } }.sorted()
    }
  }

  func createFolder(
    _ path: FilePath, _ permissions: FilePermissions
  ) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      try Self.checkParent(path, .create, state)
      guard state.names[path] == nil else { throw FileSystemError(.create, path, .fileExists) }
      Self.change([path: .folder(state.nextInode)], &state)
      state.nextInode += 1
    }
  }

  func rename(
    _ from: FilePath, to path: FilePath, _ mode: RenameMode
  ) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      if weakening.isPlain, mode != .replacing {
        throw FileSystemError(.rename, path, .invalidArgument)
      }
      try Self.checkParent(path, .rename, state)
      guard let source = state.names[from] else {
        throw FileSystemError(.rename, path, .noSuchFileOrDirectory)
      }
      let target = state.names[path]
      state.files[source.inode]?.changed = state.clock
      switch mode {
      case .keeping where target != nil: throw FileSystemError(.rename, path, .fileExists)
      case .keeping, .replacing: Self.change([from: nil, path: source], &state)
      case .exchanging:
        guard let target else {
          throw FileSystemError(.rename, path, .noSuchFileOrDirectory)
        }
        state.files[target.inode]?.changed = state.clock
        Self.change([from: target, path: source], &state)
      }
    }
  }

  func link(_ from: FilePath, to path: FilePath) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      try Self.checkParent(path, .create, state)
      guard let source = state.names[from] else {
        throw FileSystemError(.create, path, .noSuchFileOrDirectory)
      }
      guard state.names[path] == nil else { throw FileSystemError(.create, path, .fileExists) }
      state.files[source.inode]?.changed = state.clock
      Self.change([path: source], &state)
    }
  }

  func remove(_ path: FilePath) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      guard case .file? = state.names[path] else {
        throw FileSystemError(.remove, path, .noSuchFileOrDirectory)
      }
      Self.change([path: nil], &state)
    }
  }

  func removeFolder(_ path: FilePath) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      guard case .folder? = state.names[path] else {
        throw FileSystemError(.remove, path, .noSuchFileOrDirectory)
      }
      guard !state.names.keys.contains(where: { $0.removingLastComponent() == path }) else {
        throw FileSystemError(.remove, path, .directoryNotEmpty)
      }
      Self.change([path: nil], &state)
    }
  }

  func lock(_ path: FilePath) throws(FileSystemError) -> File { File(inode: -1, path: path) }
}
