import CVips
import Glibc

/// A file in memory, for libraries that open files by path; it lives as long as this object.
public final class MemoryFile: Sendable {
  /// The path that opens the file in this process.
  public let path: String
  private let descriptor: Int32

  /// Creates a file with these bytes; throws if there is not enough memory.
  public init(_ bytes: [UInt8]) throws(VipsError) {
    descriptor = cvips_memory_file("phbatch")
    path = "/proc/self/fd/\(descriptor)"
    var rest = bytes[...]
    while descriptor >= 0 && !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { break }
      rest = rest.dropFirst(max(0, count))
    }
    guard descriptor >= 0, rest.isEmpty else {
      throw .failed(operation: "memory file", detail: "the bytes cannot be kept in memory")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
