import SystemCalls
import SystemPackage

/// Tells how far the times of files can be trusted.
///
/// Equal times prove equal bytes only of a file that was old enough when its bytes were read: two
/// writes within one tick of the file system's clock may leave the same times.
/// - Source: the racy rule of Git (Documentation/technical/racy-git), with the clock of the file
///   system itself instead of ours.
public struct FileClock: Sendable {
  /// When a command began, by the clock of the file system: nanoseconds since 1970.
  public let start: Int64
  /// Nanoseconds that a change must lie before that.
  let margin: Int64
  /// True if inode numbers are stable.
  public let trustsInodes: Bool

  /// A clock for tests.
  init(start: Int64, margin: Int64 = 0) {
    self.start = start
    self.margin = margin
    trustsInodes = true
  }

  /// Reads the clock off the note that the holder of the `LibraryLock` wrote last of all.
  ///
  /// Nil where there is no note. The library of a mirror has no such note: where it is not on this
  /// machine, its clock may be a day off.
  public init?(of tree: LibraryTree, in root: OutputRoot) {
    guard let note = try? root.files.status(at: LibraryLock.note) else { return nil }
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

  /// True if the identities of files that were last changed at this time can be trusted from now
  /// on.
  public func trusts(newest: Int64) -> Bool { newest < start - margin }

  public func trusts(_ identity: FileIdentity) -> Bool {
    trusts(newest: max(identity.modified, identity.changed))
  }
}

extension RealFileSystem {
  enum Kind {
    case local
    /// On this machine, with a coarse clock.
    case coarse
    case network
    case user

    /// That of the file system on which a file or a folder is.
    init(of file: OpenFile) {
      switch file.withDescriptor({ phbatch_file_system($0.rawValue) }) {
      case phbatch_file_system_local: self = .local
      case phbatch_file_system_coarse: self = .coarse
      case phbatch_file_system_user: self = .user
      default: self = .network
      }
    }

    /// True if the kernel reports changes; it does not report those of other machines.
    var tellsOfChanges: Bool {
      switch self {
      case .local, .coarse: true
      case .network, .user: false
      }
    }
  }

  /// The kind of the root; others may be mounted below it.
  var kind: Kind { Kind(of: root) }

  /// True if inode numbers are stable; file systems in user space do not promise it.
  public var trustsInodes: Bool { kind != .user }
}

extension FileIdentity {
  /// The identity as an index keeps it.
  public func indexed(trustsInodes: Bool) -> FileIdentity {
    trustsInodes
      ? self : FileIdentity(inode: 0, size: size, modified: modified, changed: changed)
  }
}
