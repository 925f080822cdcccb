import FoundationEssentials
import Glibc
import PhotoRecipes

/// An open, unnamed file in `TMPDIR`; it is closed when this object is released.
package final class TemporaryFile: Sendable {
  package let descriptor: Int32

  package init() throws(ExternalFailure) {
    let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var path = Array("\(folder)/phbatch-XXXXXX".utf8CString)
    descriptor = unsafe path.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return -1 }
      let descriptor = unsafe mkstemp(start)
      if descriptor >= 0 { unsafe unlink(start) }
      return descriptor
    }
    if descriptor < 0 {
      throw ExternalFailure(
        "no file can be created in '\(folder)': \(unsafe String(cString: strerror(errno)))",
        hint: "set TMPDIR to a folder with free space")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// The size in bytes.
  var size: Int { Int(lseek(descriptor, 0, SEEK_END)) }
}
