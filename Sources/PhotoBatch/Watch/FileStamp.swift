import Glibc
import SystemPackage

/// The identity, size and times of the file at a path; symbolic links are followed.
struct FileStamp: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  private let size: Int64
  private let modified: [Int]
  private let changed: [Int]
  let isFolder: Bool

  init(of path: FilePath) throws(Errno) {
    var status = stat()
    let result = unsafe path.withPlatformString { unsafe stat($0, &status) }
    guard result == 0 else { throw Errno(rawValue: errno) }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }

  /// True if both stamps belong to the same folder; its content may differ.
  func isSameFolder(as other: FileStamp) -> Bool {
    isFolder && other.isFolder && device == other.device && inode == other.inode
  }
}
