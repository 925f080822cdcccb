import Glibc

/// Bytes that can be read at any place; a file's position is left alone.
public enum ByteSource: Sendable {
  /// An open file.
  case descriptor(Int32)
  case bytes([UInt8])

  /// How many bytes there are; 0 for a file that has no end.
  public var count: Int {
    switch self {
    case .bytes(let bytes): return bytes.count
    case .descriptor(let descriptor):
      var status = stat()
      return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }
  }

  /// At most `count` bytes from an offset on; fewer where the file ends.
  public func bytes(at offset: Int, _ count: Int) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    switch self {
    case .bytes(let bytes):
      guard offset < bytes.count else { return [] }
      return Array(bytes[offset...].prefix(count))
    case .descriptor(let descriptor):
      // What a file claims to hold must not decide how much memory is asked for.
      let count = min(count, max(0, self.count - offset))
      var buffer = [UInt8](repeating: 0, count: count)
      var filled = 0
      while filled < count {
        let read = unsafe buffer.withUnsafeMutableBytes {
          unsafe pread(
            descriptor, $0.baseAddress?.advanced(by: filled), count - filled,
            offset + filled)
        }
        if read < 0 && errno == EINTR { continue }
        if read <= 0 { break }
        filled += read
      }
      return filled == count ? buffer : Array(buffer.prefix(filled))
    }
  }

  /// Exactly `count` bytes; nil where the file ends before, or where they are more than `limit`.
  func whole(at offset: Int, _ count: Int, limit: Int = .max) -> [UInt8]? {
    guard count >= 0, count <= limit else { return nil }
    let bytes = bytes(at: offset, count)
    return bytes.count == count ? bytes : nil
  }

  /// An unsigned number; nil beyond the end.
  func number(at offset: Int, _ width: Int, _ order: ByteOrder) -> Int? {
    bytes(at: offset, width).number(at: 0, width, order)
  }
}
