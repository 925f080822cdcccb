import CVips
import Glibc

/// A file in memory, for libraries that open files by path; it lives as long as this object.
public final class MemoryFile: Sendable {
  /// The path that opens the file in this process.
  public let path: String
  /// The open file; other processes that inherit it may write to it.
  public let descriptor: Int32

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
      throw .failed(operation: "memory file", detail: "a file in memory cannot be written")
    }
  }

  /// The bytes that the file has now.
  ///
  /// - Throws: `VipsError` if they cannot be read.
  public func bytes() throws(VipsError) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .failed(operation: "memory file", detail: "the bytes cannot be read")
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      while count < buffer.count {
        let read = pread(
          descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(count))
        if read < 0 && errno == EINTR { continue }
        if read <= 0 { break }
        count += read
      }
    }
    guard bytes.count == Int(status.st_size) else {
      throw .failed(operation: "memory file", detail: "the bytes cannot be read")
    }
    return bytes
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
