extension [UInt8] {
  /// Expands the first member of a gzip file; throws if it expands to more than `limit` bytes.
  ///
  /// The checksum is not verified.
  ///
  /// - Source: RFC 1952, 2.3.
  package func gunzipped(limit: Int) throws(InflateError) -> [UInt8] {
    guard count > 18, starts(with: [0x1F, 0x8B, 8]) else { throw .damaged }
    let flags = self[3]
    var start = 10
    if flags & GzipFlag.extra != 0 {
      start += 2 + Int(self[start]) + Int(self[start + 1]) << 8
    }
    for flag in [GzipFlag.name, GzipFlag.comment] where flags & flag != 0 {
      guard start < count, let end = self[start...].firstIndex(of: 0) else { throw .truncated }
      start = end + 1
    }
    if flags & GzipFlag.headerChecksum != 0 { start += 2 }
    guard start < count else { throw .truncated }
    return try Array(self[start...]).inflated(limit: limit)
  }
}

private enum GzipFlag {
  static let headerChecksum: UInt8 = 2
  static let extra: UInt8 = 4
  static let name: UInt8 = 8
  static let comment: UInt8 = 16
}
