import CFontconfig
import Glibc

/// A file in memory, for libraries that open files by their names; gone with this object.
public final class MemoryFile: Sendable {
  /// Where this process finds it.
  public let path: String
  private let descriptor: Int32

  /// Writes the bytes; throws where there is no memory for them.
  public init(_ bytes: [UInt8]) throws(VipsError) {
    descriptor = cfontconfig_memory_file("phbatch")
    path = "/proc/self/fd/\(descriptor)"
    var written = 0
    while descriptor >= 0 && written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count <= 0 { break }
      written += count
    }
    guard descriptor >= 0, written == bytes.count else {
      throw .failed(operation: "memory file", detail: "the file cannot be kept in memory")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
