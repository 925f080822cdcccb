import SystemCalls
import SystemPackage

/// Decides which file times can be trusted.
///
/// Equal times prove equal bytes only if some time had passed since the file's last change when its
/// bytes were read: two writes within one tick of the file system's clock may leave the same times.
///
/// - Source: Git's rule for recently changed files (Documentation/technical/racy-git), with the
///   clock of the file system instead of the system clock.
public struct FileClock: Sendable {
  /// The time at which a command began, by the clock of the file system, in nanoseconds since 1970.
  public let start: Int64
  /// The nanoseconds by which a change must precede `start` to be trusted.
  let margin: Int64
  /// True if inode numbers are stable.
  public let trustsInodes: Bool

  /// Creates a clock for tests.
  init(start: Int64, margin: Int64 = 0) {
    self.start = start
    self.margin = margin
    trustsInodes = true
  }

  /// Creates the clock from the time of the last change of the lock note, which the holder of the
  /// `LibraryLock` or of the `ShardLock` has written.
  ///
  /// Nil if there is no lock note. The lock note of a mirror is on the mirror's file system. If the
  /// mirror's library may be on another machine, the margin is one day, because the clocks may
  /// differ.
  public init?(of tree: LibraryTree, in root: OutputRoot, _ state: CommitState = .library) {
    guard let note = try? root.files.status(at: state.note) else { return nil }
    let files = tree == .library ? root.library : root.files
    let kind = files.kind
    let isFar = kind == .network || kind == .user || root.files.kind == .network
    start = note.identity.changed
    if root.isMirror && tree == .library && isFar {
      margin = 86_400_000_000_000
    } else {
      margin = kind == .local ? 10_000_000 : 2_000_000_000
    }
    trustsInodes = kind != .user
  }

  /// True if a file's last change at this time is so old that any later change gets another time.
  public func trusts(newest: Int64) -> Bool { newest < start - margin }

  public func trusts(_ identity: FileIdentity) -> Bool {
    trusts(newest: max(identity.modified, identity.changed))
  }
}

extension RealFileSystem {
  enum Kind {
    case local
    /// A file system on this machine whose clock is coarse, for example with ticks of 2 s.
    case coarse
    case network
    case user

    /// Determines the kind of the file system that contains an open file or folder.
    init(of file: OpenFile) {
      switch file.withDescriptor({ phbatch_file_system($0.rawValue) }) {
      case phbatch_file_system_local: self = .local
      case phbatch_file_system_coarse: self = .coarse
      case phbatch_file_system_user: self = .user
      default: self = .network
      }
    }

    /// True if the kernel reports all changes of files.
    ///
    /// On a network file system, the kernel does not report changes by other machines.
    var tellsOfChanges: Bool {
      switch self {
      case .local, .coarse: true
      case .network, .user: false
      }
    }
  }

  /// The kind of the root's file system; others may be mounted below the root.
  var kind: Kind { Kind(of: root) }

  /// True if inode numbers are stable; file systems in user space do not guarantee that.
  public var trustsInodes: Bool { kind != .user }
}

extension FileIdentity {
  /// The identity as it is stored in an index; the inode number is 0 if inode numbers are not
  /// stable.
  public func indexed(trustsInodes: Bool) -> FileIdentity {
    trustsInodes
      ? self : FileIdentity(inode: 0, size: size, modified: modified, changed: changed)
  }
}
