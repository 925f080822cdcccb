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
  /// The user ID of the owner.
  public let owner: UInt32
  /// The time at which the file was created, in nanoseconds since 1970, UTC; 0 if the file system
  /// does not record it.
  ///
  /// Programs cannot set this time.
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

  /// True if the user of this process owns the file and no other user may write to it.
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
  /// The size in bytes.
  public let size: Int64
  /// The time of the last change of the bytes, in nanoseconds since 1970, UTC.
  ///
  /// Any program may set it.
  public let modified: Int64
  /// The time of the last change of bytes, name or permissions, in nanoseconds since 1970, by the
  /// clock of the file system.
  public let changed: Int64

  public init(inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }
}
