import Glibc
import SystemCalls
public import SystemPackage

/// Blocks one thread until a file is readable, another thread calls `wake`, or a time has passed.
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

  /// Ends the current `wait`, or the next one if there is none; may be called on any thread.
  public func wake() {
    // The result is ignored, because a full pipe also ends the wait.
    var byte: UInt8 = 0
    _ = sending.withDescriptor { unsafe write($0.rawValue, &byte, 1) }
  }

  /// Blocks the thread, and leaves the readable data unread.
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
