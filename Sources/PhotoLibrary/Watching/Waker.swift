import Glibc
import SystemCalls
public import SystemPackage

/// Lets one thread sleep until something is to be read, another thread wakes it, or time is up.
public final class Waker: Sendable {
  private let receiving: OpenFile
  private let sending: OpenFile

  public init() throws(Errno) {
    var ends: [Int32] = [-1, -1]
    let failure = unsafe phbatch_open_pipe(&ends)
    guard failure == 0 else { throw Errno(rawValue: -failure) }
    receiving = OpenFile(FileDescriptor(rawValue: ends[0]), "waker")
    sending = OpenFile(FileDescriptor(rawValue: ends[1]), "waker")
  }

  /// Ends a `wait`, or the next one if there is none; from any thread.
  public func wake() {
    // A full pipe wakes as well.
    var byte: UInt8 = 0
    _ = sending.withDescriptor { unsafe write($0.rawValue, &byte, 1) }
  }

  /// Sleeps; what is to be read is left to be read.
  public func wait(for file: OpenFile?, atMost time: Duration) {
    let milliseconds = Int32(
      clamping: max(0, time.components.seconds) * 1_000
        + (time.components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    OpenFile.withDescriptors(of: [receiving] + (file.map { [$0] } ?? [])) { descriptors in
      var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = unsafe poll(&polled, nfds_t(polled.count), max(0, milliseconds))
    }
    var bytes = [UInt8](repeating: 0, count: 512)
    while receiving.withDescriptor({ unsafe read($0.rawValue, &bytes, bytes.count) }) > 0 {}
  }
}
