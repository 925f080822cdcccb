import Glibc
import PhotoLibrary
import Synchronization
import SystemPackage

extension ModelFileSystem {
  func create(_ path: FilePath) throws(FileSystemError) -> File {
    try call { state throws(FileSystemError) in
      try Self.checkParent(path, .create, state)
      guard state.names[.of(path)] == nil else {
        throw FileSystemError(.create, path, .fileExists)
      }
      let inode = state.nextInode
      state.nextInode += 1
      state.files[inode] = Contents(modified: state.clock, changed: state.clock)
      Self.change([.of(path): .file(inode)], &state)
      return File(inode: inode, path: path)
    }
  }

  func open(_ path: FilePath) throws(FileSystemError) -> File {
    try state.withLock { (state: inout sending State) throws(FileSystemError) -> File in
      switch state.names[.of(path)] {
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
      if skips(.file(file.path), state) { return }
      state.files[file.inode]?.isSaved = true
    }
  }

  func synchronize(folder: FilePath) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      collect(&state)
      if skips(.folder(folder), state) { return }
      let folder = ModelPath.folder(folder)
      var rest: [Change] = []
      for change in state.pending {
        guard change.changes(folder) else {
          rest.append(change)
          continue
        }
        for (path, entry) in change.effects {
          state.saved[path] = entry
          // This change is synchronized, so it replaces earlier pending changes of the same name.
          for index in rest.indices { rest[index].effects[path] = nil }
        }
      }
      state.pending = rest.filter { !$0.effects.isEmpty }
    }
  }

  private func skips(_ call: Weakening.Synchronized, _ state: State) -> Bool {
    weakening.skips?(call, state.names.keys.map { $0.path }) ?? false
  }

  func status(of file: File) throws(FileSystemError) -> FileStatus {
    state.withLock { Self.status(.file(file.inode), $0) }
  }

  func status(at path: FilePath) throws(FileSystemError) -> FileStatus? {
    state.withLock { state in
      path.isEmpty
        ? Self.status(.folder(0), state) : state.names[.of(path)].map { Self.status($0, state) }
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
      let folder = ModelPath.folder(folder)
      return state.names.keys.filter { $0.folder == folder }
        .compactMap { $0.path.lastComponent.map { FileName($0) } }.sorted()
    }
  }

  func createFolder(
    _ path: FilePath, _ permissions: FilePermissions
  ) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      try Self.checkParent(path, .create, state)
      guard state.names[.of(path)] == nil else { throw FileSystemError(.create, path, .fileExists) }
      Self.change([.of(path): .folder(state.nextInode)], &state)
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
      guard let source = state.names[.of(from)] else {
        throw FileSystemError(.rename, path, .noSuchFileOrDirectory)
      }
      let target = state.names[.of(path)]
      state.files[source.inode]?.changed = state.clock
      switch mode {
      case .keeping where target != nil: throw FileSystemError(.rename, path, .fileExists)
      case .keeping, .replacing: Self.change([.of(from): nil, .of(path): source], &state)
      case .exchanging:
        guard let target else {
          throw FileSystemError(.rename, path, .noSuchFileOrDirectory)
        }
        state.files[target.inode]?.changed = state.clock
        Self.change([.of(from): target, .of(path): source], &state)
      }
    }
  }

  func link(_ from: FilePath, to path: FilePath) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      try Self.checkParent(path, .create, state)
      guard let source = state.names[.of(from)] else {
        throw FileSystemError(.create, path, .noSuchFileOrDirectory)
      }
      guard state.names[.of(path)] == nil else { throw FileSystemError(.create, path, .fileExists) }
      state.files[source.inode]?.changed = state.clock
      Self.change([.of(path): source], &state)
    }
  }

  func remove(_ path: FilePath) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      guard case .file? = state.names[.of(path)] else {
        throw FileSystemError(.remove, path, .noSuchFileOrDirectory)
      }
      Self.change([.of(path): nil], &state)
    }
  }

  func removeFolder(_ path: FilePath) throws(FileSystemError) {
    try call { state throws(FileSystemError) in
      guard case .folder? = state.names[.of(path)] else {
        throw FileSystemError(.remove, path, .noSuchFileOrDirectory)
      }
      guard !state.names.keys.contains(where: { $0.folder == .of(path) }) else {
        throw FileSystemError(.remove, path, .directoryNotEmpty)
      }
      Self.change([.of(path): nil], &state)
    }
  }

  func lock(_ path: FilePath, _ mode: LockMode) throws(FileSystemError) -> File {
    File(inode: -1, path: path)
  }
}
