import Glibc
import SystemCalls
import SystemPackage

extension FileStatus {
  /// Reads the status of `name` in an open folder; if the name is empty, reads the status of the
  /// open file itself.
  init(of name: UnsafePointer<CChar>, in folder: FileDescriptor) throws(Errno) {
    var status = phbatch_status()
    let result = unsafe phbatch_status(folder.rawValue, name, &status)
    guard result == 0 else { throw Errno(rawValue: -result) }
    self.init(status)
  }

  init(_ status: phbatch_status) {
    self.init(
      kind: Kind(mode: status.mode), permissions: FilePermissions(rawValue: status.mode & 0o7777),
      identity: FileIdentity(
        inode: status.inode, size: status.size, modified: status.modified, changed: status.changed),
      owner: status.owner, born: status.born)
  }
}

extension FileStatus.Kind {
  /// Decodes the type in `st_mode`.
  init(mode: UInt32) {
    switch mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .symbolicLink
    default: self = .other
    }
  }
}
