import CVips
import Glibc

/// A libvips source that reads a file and replaces the bytes at some offsets.
///
/// Only one thread at a time reads from a source, so the position needs no lock.
final class PatchedFile {
  private let descriptor: Int32
  private let patches: [(offset: Int, bytes: [UInt8])]
  private var position = 0
  /// The patched bytes of the part of the file that was read last; `windowStart` is the part's
  /// offset.
  ///
  /// The part is buffered because libheif requests only a few bytes at a time.
  private var window: [UInt8] = []
  private var windowStart = 0
  private static let windowLength = 1 << 16

  /// Duplicates `descriptor`, so the caller may close it.
  init(_ descriptor: Int32, _ patches: [(offset: Int, bytes: [UInt8])]) throws(VipsError) {
    self.patches = patches
    self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard self.descriptor >= 0 else {
      throw .failed(operation: "source", detail: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// Creates a source that keeps this file open while the source lives.
  func source() throws(VipsError) -> UnsafeMutablePointer<VipsSource> {
    guard let custom = vips_source_custom_new() else { throw .take("source") }
    cvips_connect_source(
      custom,
      { _, buffer, length, file in
        guard let buffer, let file else { return -1 }
        return Unmanaged<PatchedFile>.fromOpaque(file).takeUnretainedValue()
          .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(length)))
      },
      { _, offset, whence, file in
        guard let file else { return -1 }
        return Unmanaged<PatchedFile>.fromOpaque(file).takeUnretainedValue()
          .seek(Int(offset), from: whence)
      },
      Unmanaged.passRetained(self).toOpaque(),
      { file, _ in
        if let file { Unmanaged<PatchedFile>.fromOpaque(file).release() }
      })
    return UnsafeMutableRawPointer(custom).assumingMemoryBound(to: VipsSource.self)
  }

  /// Reads into a buffer.
  ///
  /// Returns the number of bytes, 0 at the end, −1 if reading fails.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if !(windowStart..<windowStart + window.count).contains(position) && !fill() { return -1 }
    let rest = window[(position - windowStart)...].prefix(buffer.count)
    buffer.copyBytes(from: rest)
    position += rest.count
    return rest.count
  }

  /// Reads the window at the current position; returns false if reading fails.
  private func fill() -> Bool {
    var bytes = [UInt8](repeating: 0, count: Self.windowLength)
    var count: Int
    repeat {
      count = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, position)
      }
    } while count < 0 && errno == EINTR
    guard count >= 0 else { return false }
    window = Array(bytes.prefix(count))
    windowStart = position
    let range = position..<(position + count)
    for patch in patches {
      let patched = patch.offset..<(patch.offset + patch.bytes.count)
      for place in patched.clamped(to: range) {
        window[place - position] = patch.bytes[place - patch.offset]
      }
    }
    return true
  }

  /// Sets the position and returns it; −1 if it would be before the start.
  private func seek(_ offset: Int, from whence: Int32) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return -1 }
    let start =
      switch whence {
      case SEEK_CUR: position
      case SEEK_END: Int(status.st_size)
      default: 0
      }
    guard start + offset >= 0 else { return -1 }
    position = start + offset
    return position
  }
}
