import Glibc
public import Notation
import PhotoRecipes
public import SystemPackage

/// Checks whether locks in an output root exclude processes on other machines.
///
/// On a network file system this depends on the options of the mount. A trial with two descriptors
/// of one process cannot show that other machines are excluded, because the two exclude each other
/// even if only this machine keeps the lock. So the options are checked first; the trial then shows
/// whether the server supports locks at all.
public enum LockProbe {
  private static let file = CommitState.shards.appending("probe.lock")

  /// Checks the file system of an output root.
  ///
  /// File systems in user space below the root are refused, too, because shards publish files in
  /// them.
  ///
  /// - Throws: `UnsafeLocks` if shards on several machines could do the same work at the same time;
  ///   `FileSystemError` if the probe's file cannot be created.
  public static func check(_ root: OutputRoot) throws {
    let path = root.files.path
    if let reason = MountOptions(of: root.files.root)?.flaw { throw UnsafeLocks(path, reason) }
    for (mount, options) in MountOptions.below(try path.canonical()) {
      guard let reason = flaw(of: options, at: mount) else { continue }
      throw UnsafeLocks(path.appending(mount.components), reason)
    }
    try root.files.createFolders(CommitState.shards, permissions: .newStateFolder)
    let first = try root.files.openLock(file)
    guard first.withDescriptor({ flock($0.rawValue, LOCK_EX | LOCK_NB) }) == 0 else {
      let failure = Errno(rawValue: errno)
      // Another shard is probing at the same time, so the file system supports locks.
      if failure == .wouldBlock { return }
      throw UnsafeLocks(path, .unsupported(failure))
    }
    let second = try root.files.openLock(file)
    let excludes = second.withDescriptor { flock($0.rawValue, LOCK_EX | LOCK_NB) } != 0
    _ = first.withDescriptor { flock($0.rawValue, LOCK_UN) }
    if !excludes { throw UnsafeLocks(path, .ineffective) }
  }

  /// The reason why shards cannot use a mount at `path` below the output root; nil if they can.
  ///
  /// All locks are in the state folder, so options that limit locks to one machine matter only
  /// there.
  static func flaw(of options: MountOptions, at path: FilePath) -> MountOptions.Flaw? {
    if case .userSpace? = options.flaw { return options.flaw }
    return path.starts(with: OutputRoot.stateFolder) ? options.flaw : nil
  }
}

/// The error of a shard if locks in the output root do not exclude other machines.
public struct UnsafeLocks: UserError, Hashable {
  /// The output root, or a mount below it.
  public let root: FilePath
  public let reason: MountOptions.Flaw

  init(_ root: FilePath, _ reason: MountOptions.Flaw) {
    self.root = root
    self.reason = reason
  }

  public var message: String {
    let folder = "'\(root.displayed)'"
    return switch reason {
    case .local(let option, let type):
      "locks in \(folder) exclude only processes on this machine, because its \(type) file system"
        + " is mounted with '\(option)'"
    case .userSpace(let type):
      "\(folder) is on a file system in user space (\(type)), which cannot exchange files and lock"
        + " them for several machines"
    case .unsupported(let failure): "files in \(folder) cannot be locked: \(failure)"
    case .broken(let host):
      "locks in \(folder) do not exclude '\(host)', which is doing the same shard"
    case .ineffective: "locks in \(folder) have no effect"
    }
  }

  public var hint: String {
    switch reason {
    case .local(let option, _):
      "mount it without '\(option)' on every machine; or give --output on another file system"
    case .broken: "mount it on all machines so that locks reach the server; see nfs(5), local_lock"
    case .userSpace, .unsupported, .ineffective:
      "copy the shard's photos to a local disk, run there with --output, and copy the output back,"
        + " sidecars last"
    }
  }
}
