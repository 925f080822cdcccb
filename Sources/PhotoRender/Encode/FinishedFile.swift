import Glibc

/// The file of a rendition while it is written.
enum FinishedFile {
  /// The bytes of the file.
  static func size(_ descriptor: Int32) -> Int { Int(lseek(descriptor, 0, SEEK_END)) }

  /// Writes these bytes in place of what is in the file; false where they could not be written.
  static func replace(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return false }
    return append(bytes, to: descriptor)
  }

  /// Writes all of these bytes; false where they could not be written.
  static func append(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }
}
