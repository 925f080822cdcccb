import CBrotli

extension [UInt8] {
  /// Expands a Brotli stream to at most `limit` bytes; nil for one that is damaged, ends early, or
  /// holds more.
  ///
  /// - Source: RFC 7932.
  func brotliExpanded(limit: Int) -> [UInt8]? {
    var capacity = Swift.min(limit, Swift.max(1 << 16, 8 * count))
    while true {
      var code = 0
      let expanded = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, filled in
        code = unsafe withUnsafeBufferPointer { source in
          unsafe cbrotli_expand(source.baseAddress, source.count, target.baseAddress, capacity)
        }
        filled = Swift.max(0, code)
      }
      if code >= 0 { return expanded }
      guard code == Int(cbrotli_full), capacity < limit else { return nil }
      capacity = Swift.min(limit, 4 * capacity)
    }
  }
}
