import PhotoLibrary
import SystemPackage

extension RealFileSystem {
  /// True if a file has this path; nil if that cannot be checked.
  func has(_ path: FilePath) -> Bool? {
    do throws(FileSystemError) { return try status(at: path) != nil } catch { return nil }
  }
}
