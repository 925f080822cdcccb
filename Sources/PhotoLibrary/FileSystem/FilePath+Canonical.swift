import Glibc
public import SystemPackage

extension FilePath {
  /// The absolute path, without symbolic links, of the file that currently has this path.
  public func canonical() throws(FileSystemError) -> FilePath {
    guard let resolved = unsafe withPlatformString({ unsafe realpath($0, nil) }) else {
      throw FileSystemError(.open, self, Errno(rawValue: errno))
    }
    defer { unsafe free(resolved) }
    return unsafe FilePath(platformString: resolved)
  }
}
