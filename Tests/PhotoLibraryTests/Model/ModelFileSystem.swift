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
    /// Decides whether a call to synchronize is left out: true leaves it out.
    ///
    /// The closure receives what would be synchronized, and the names that exist when the call is
    /// made.
    var skips: (@Sendable (Synchronized, [FilePath]) -> Bool)?
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

  let state: Mutex<State>
  let weakening: Weakening
  private let edit: Edit?

  struct State {
    var files: [Int: Contents] = [:]
    /// The names that programs see now.
    var names: [ModelPath: Disk.Entry] = [:]
    /// The names that are synchronized, and thus remain after a power failure.
    var saved: [ModelPath: Disk.Entry] = [:]
    var pending: [Change] = []
    var nextInode = 1
    var clock: Int64 = 1
    var calls = 0
    var isEdited = false
    var crashes: Set<Crash> = []
  }

  struct Contents {
    var bytes: [UInt8] = []
    var isSaved = false
    var modified: Int64 = 0
    var changed: Int64 = 0
  }

  /// The changes that one call makes to folders; after a power failure, all of them remain or none.
  struct Change {
    var effects: [ModelPath: Disk.Entry?]

    func changes(_ folder: ModelPath?) -> Bool { effects.keys.contains { $0.folder == folder } }
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

  private static func disk(_ names: [ModelPath: Disk.Entry], _ state: State) -> Disk {
    var disk = Disk()
    disk.names = names
    disk.bytes = state.files.mapValues { $0.bytes }
    disk.clean()
    return disk
  }
}

extension ModelFileSystem {
  /// The maximum number of subsets of pending changes that are tried completely; if there are more,
  /// this many subsets are sampled.
  private static let mostSubsets = TestVolume.isWhole ? 2_048 : 128

  /// Collects the states that a power failure could leave.
  ///
  /// Between two calls that synchronize, pending changes are only added. It is therefore enough to
  /// collect the states before each such call and at the end.
  func collect(_ state: inout State) {
    if weakening.isOrdered {
      state.crashes.insert(
        Crash(disk: Self.disk(state.names, state), isEdited: state.isEdited))
      return
    }
    let torn = state.files.filter { inode, file in
      !file.isSaved && !file.bytes.isEmpty
        && (state.names.values.contains(.file(inode)) || state.saved.values.contains(.file(inode)))
    }.keys.sorted()
    var saved = Disk()
    saved.names = state.saved
    saved.bytes = state.files.mapValues { $0.bytes }
    let bits = state.pending.count + torn.count
    if bits < Int.bitWidth - 1 && 1 << bits <= Self.mostSubsets {
      for subset in 0..<(1 << bits) { insert(UInt64(subset), torn, in: saved, &state) }
      return
    }
    // The pending changes have too many subsets to try them all. So the states after each call are
    // tried, with complete and with truncated files; then random subsets are tried.
    let files = ~((UInt64(1) << UInt64(state.pending.count)) - 1)
    for count in 0...state.pending.count {
      let changes = (UInt64(1) << UInt64(count)) - 1
      insert(changes, torn, in: saved, &state)
      insert(changes | files, torn, in: saved, &state)
    }
    var random = SeededGenerator(seed: 1)
    for _ in 0..<Self.mostSubsets { insert(random.next(), torn, in: saved, &state) }
  }

  /// Adds the state of the disk in which a power failure kept a subset of the pending changes, and
  /// a subset of the unsynchronized files complete; `saved` has the synchronized names.
  ///
  /// The lowest bits of `subset` each select a pending change, the bits above them each a file.
  private func insert(_ subset: UInt64, _ torn: [Int], in saved: Disk, _ state: inout State) {
    var disk = saved
    for (bit, change) in state.pending.enumerated() where subset >> UInt64(bit) & 1 == 1 {
      for (path, entry) in change.effects { disk.names[path] = entry }
    }
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
  func call<Value>(
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
    let path = ModelPath.of(edit.path)
    guard case .file(let inode)? = state.names[path] else { return }
    state.isEdited = true
    state.saved = state.names
    state.pending = []
    let target = edit.isInPlace ? inode : state.nextInode
    if !edit.isInPlace { state.nextInode += 1 }
    state.files[target] = Contents(
      bytes: Array(edit.text.utf8), isSaved: true, modified: state.clock, changed: state.clock)
    state.names[path] = .file(target)
    state.saved[path] = .file(target)
  }

  static func change(_ effects: [ModelPath: Disk.Entry?], _ state: inout State) {
    for (path, entry) in effects { state.names[path] = entry }
    state.pending.append(Change(effects: effects))
  }

  static func checkParent(
    _ path: FilePath, _ call: FileSystemError.Call, _ state: State
  ) throws(FileSystemError) {
    guard let folder = ModelPath.of(path).folder else { return }
    guard case .folder? = state.names[folder] else {
      throw FileSystemError(call, path, .noSuchFileOrDirectory)
    }
  }
}
