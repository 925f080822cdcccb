import Glibc
import Vips

/// The open file of a rendition that is written but not yet published.
struct FinishedFile {
  let descriptor: Int32

  /// The size in bytes.
  var size: Int { Int(lseek(descriptor, 0, SEEK_END)) }

  /// Replaces the file's content by these bytes; false if they could not be written.
  func replace(with bytes: [UInt8]) -> Bool {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return false }
    return append(bytes)
  }

  /// Replaces bytes at an offset inside the file; false if they could not be written.
  func patch(at offset: Int, _ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes {
      unsafe pwrite(descriptor, $0.baseAddress, $0.count, offset) == $0.count
    }
  }

  /// Appends all of these bytes; false if they could not be written.
  func append(_ bytes: [UInt8]) -> Bool {
    guard lseek(descriptor, 0, SEEK_END) >= 0 else { return false }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR {
        WriteError.note(errno, of: descriptor)
        return false
      }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }
}
