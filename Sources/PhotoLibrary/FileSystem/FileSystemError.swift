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
    case .noSuchFileOrDirectory where call == .create: "create the folder that contains it first"
    case .noSuchFileOrDirectory: "check the path; the file may have been moved"
    case .notDirectory: "replace the file at this path with a folder"
    case .isDirectory where call == .open: "give the path of a file instead of a folder"
    case .isDirectory: "remove the folder at this path; a file is needed"
    case .permissionDenied, .notPermitted: "check the permissions of the file and its folder"
    case .noSpace, .diskQuotaExceeded:
      "free some disk space, then run again; finished photos are kept"
    case .readOnlyFileSystem: "make it writable, or use 'phbatch run --output' to write elsewhere"
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem: "raise the limit on open files (ulimit -n)"
    case .tooManySymbolicLinkLevels:
      "replace the symbolic link; phbatch does not follow links within a library"
    case .improperLink: "use a path within the library and on the same file system"
    case .fileNameTooLong: "use a shorter name; 255 bytes are allowed, and 4095 for the whole path"
    case .noFunction: "use Linux 5.6 or newer, and do not block phbatch's system calls"
    case .ioError: "check the disk and its connection"
    case .notSupported: "remove the FIFO, socket or device at this path; a file is needed"
    default: "check the file system, then run again"
    }
  }
}
