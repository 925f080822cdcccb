import Foundation
import Glibc
import Testing

/// A lock that the test holds.
final class FileLock {
  private let descriptor: Int32

  /// Creates the file if it is missing; `mode` is `LOCK_SH` or `LOCK_EX`.
  init(_ path: String, _ mode: Int32) throws {
    try FileManager.default.createDirectory(
      atPath: URL(filePath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    try #require(flock(descriptor, mode | LOCK_NB) == 0)
  }

  deinit { close(descriptor) }
}
