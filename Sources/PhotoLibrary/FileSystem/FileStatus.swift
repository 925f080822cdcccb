import Glibc
public import SystemPackage

/// A file's status in the file system, without its content.
public struct FileStatus: Sendable, Hashable {
  public enum Kind: UInt8, Sendable {
    case regular
    case directory
    case symbolicLink
    /// A FIFO, a socket or a device.
    case other
  }

  public let kind: Kind
  public let permissions: FilePermissions
  public let identity: FileIdentity
  /// The number of the user.
  public let owner: UInt32
  /// When the file was made: nanoseconds since 1970, UTC, or 0 where the file system does not say.
  ///
  /// The time of birth in nanoseconds; programs cannot set it.
  public let born: Int64

  public init(
    kind: Kind, permissions: FilePermissions, identity: FileIdentity, owner: UInt32,
    born: Int64
  ) {
    self.kind = kind
    self.permissions = permissions
    self.identity = identity
    self.owner = owner
    self.born = born
  }

  /// True if this process's user owns it and no other user may write to it.
  var isPrivate: Bool {
    owner == geteuid() && permissions.isDisjoint(with: [.groupWrite, .otherWrite])
  }
}

/// The fields of a status that change when a file is written to or replaced.
///
/// Equal identities do not prove equal bytes: two writes within one tick of the file system's clock
/// (4 ms is common) may leave the same times.
public struct FileIdentity: Sendable, Hashable {
  public let inode: UInt64
  /// Bytes.
  public let size: Int64
  /// When the bytes last changed: nanoseconds since 1970, UTC; anyone may set it.
  public let modified: Int64
  /// When bytes, name or permissions last changed, by the clock of the file system.
  public let changed: Int64

  public init(inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }
}
