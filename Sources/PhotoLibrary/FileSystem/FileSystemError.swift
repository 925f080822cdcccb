public import Notation
import PhotoRecipes
public import SystemPackage

/// A call to the file system that failed.
public struct FileSystemError: UserError, Hashable {
  public enum Call: String, Sendable {
    case open
    case read
    case list
    case write
    case describe
    case create
    case rename
    case remove
    case lock
    case setPermissions = "set the permissions of"
    /// Synchronizing a file's bytes or a folder's names, so that they survive a power failure.
    case synchronize = "save"
  }

  public let call: Call
  /// The path relative to the library or output root, or the path of that root itself.
  public let path: FilePath
  public let errno: Errno

  public init(_ call: Call, _ path: FilePath, _ errno: Errno) {
    self.call = call
    self.path = path
    self.errno = errno
  }

  public var message: String {
    "cannot \(call.rawValue) '\(path.isEmpty ? "." : path.displayed)': \(errno)"
  }

  public var hint: String {
    switch errno {
    case .noSuchFileOrDirectory: "check the path; the file may have been moved meanwhile"
    case .notDirectory: "a file stands where a folder is needed"
    case .isDirectory: "a folder stands where a file is needed"
    case .permissionDenied, .notPermitted: "check who may read and write there"
    case .noSpace, .diskQuotaExceeded: "free some space; what was finished is kept"
    case .readOnlyFileSystem: "use --output to write elsewhere"
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem: "raise the limit on open files (ulimit -n)"
    case .tooManySymbolicLinkLevels: "no symbolic link is followed below a library"
    case .improperLink: "the path leads out of the library, or to another file system"
    case .fileNameTooLong: "use a shorter name; 255 bytes are allowed, and 4095 for the whole path"
    case .noFunction: "phbatch needs Linux 5.6 or newer, without a filter on its system calls"
    case .ioError: "check the disk and its connection"
    case .notSupported: "a FIFO, a socket or a device stands where a file is needed"
    default: "check the file system; run again when the cause is gone"
    }
  }
}
