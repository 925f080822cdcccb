import Glibc

/// The bytes of a file, which can be read at any offset without moving the position of an open
/// file.
public enum ByteSource: Sendable {
  /// An open file.
  case descriptor(Int32)
  case bytes([UInt8])
  /// The parts of a file that have been read; all other bytes are unknown.
  case parts([Part])

  public struct Part: Sendable, Hashable {
    public let offset: Int
    public let bytes: [UInt8]

    public init(offset: Int, bytes: [UInt8]) {
      self.offset = offset
      self.bytes = bytes
    }
  }

  /// The file's length in bytes; 0 for a pipe or a device.
  ///
  /// For `parts`, the length is the end of the last part.
  public var count: Int {
    switch self {
    case .bytes(let bytes): return bytes.count
    case .parts(let parts): return parts.map { $0.offset + $0.bytes.count }.max() ?? 0
    case .descriptor(let descriptor):
      var status = stat()
      return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }
  }

  /// Returns at most `count` bytes, beginning at `offset`.
  ///
  /// Fewer bytes are returned if the file, or the part of the file that contains `offset`, ends
  /// earlier.
  public func bytes(at offset: Int, _ count: Int) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    switch self {
    case .bytes(let bytes):
      guard offset < bytes.count else { return [] }
      return Array(bytes[offset...].prefix(count))
    case .parts(let parts):
      let part = parts.first { $0.offset <= offset && offset - $0.offset < $0.bytes.count }
      return part.map { Array($0.bytes[(offset - $0.offset)...].prefix(count)) } ?? []
    case .descriptor(let descriptor):
      // A damaged length field must not determine how much memory is allocated, so a large count is
      // limited to the rest of the file.
      let count = count <= 1 << 16 ? count : min(count, max(0, self.count - offset))
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

  /// Exactly `count` bytes; nil if the file has fewer after `offset`, or if `count` exceeds
  /// `limit`.
  package func whole(at offset: Int, _ count: Int, limit: Int = .max) -> [UInt8]? {
    guard count >= 0, count <= limit else { return nil }
    let bytes = bytes(at: offset, count)
    return bytes.count == count ? bytes : nil
  }

  /// An unsigned integer of `width` bytes; nil if the source ends before its last byte.
  package func number(at offset: Int, _ width: Int, _ order: ByteOrder) -> Int? {
    bytes(at: offset, width).number(at: 0, width, order)
  }
}
