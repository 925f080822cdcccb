import CZlib

/// The reason why compressed bytes could not be expanded.
public enum InflateError: Error, Hashable {
  case truncated
  case damaged
  /// The bytes expand to more than `limit` bytes.
  case tooLarge(limit: Int)
  case outOfMemory
}

extension [UInt8] {
  /// Expands raw DEFLATE data, which has neither header nor checksum; throws if it expands to more
  /// than `limit` bytes.
  ///
  /// - Source: RFC 1951.
  package func inflated(limit: Int) throws(InflateError) -> [UInt8] {
    var capacity = Swift.min(limit, Swift.max(1 << 16, 8 * count))
    while true {
      var code = 0
      let expanded = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, filled in
        code = unsafe withUnsafeBufferPointer { source in
          unsafe czlib_inflate(
            source.baseAddress, UInt32(clamping: source.count), target.baseAddress,
            UInt32(clamping: capacity))
        }
        filled = Swift.max(0, code)
      }
      switch code {
      case 0...: return expanded
      case Int(czlib_truncated): throw .truncated
      case Int(czlib_no_memory): throw .outOfMemory
      case Int(czlib_full):
        guard capacity < limit else { throw .tooLarge(limit: limit) }
        capacity = Swift.min(limit, 4 * capacity)
      default: throw .damaged
      }
    }
  }
}
