import Glibc
import Synchronization
import SystemCalls

/// One connection of a browser, used by one thread that reads and any number that write.
final class Connection: Sendable {
  private let socket: Int32
  /// The time at which reads end; nil for reads without limit.
  private let deadline = Mutex<ContinuousClock.Instant?>(nil)

  /// Takes ownership of a connected socket.
  init(_ socket: Int32) {
    self.socket = socket
    var on: Int32 = 1
    // Without this option, small responses wait up to 40 ms for the browser's delayed
    // acknowledgement.
    _ = unsafe setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(socket) }

  /// Ends the connection; reads and writes of other threads then fail.
  func end() { _ = shutdown(socket, Int32(SHUT_RDWR)) }

  /// Ends all reads, the present one and later ones, when the time has passed; nil for reads
  /// without limit.
  func setReadingTime(_ time: Duration?) {
    deadline.withLock { $0 = time.map { ContinuousClock.now + $0 } }
  }

  /// Limits the seconds of each write.
  func setWritingTime(_ seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    _ = unsafe setsockopt(
      socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Tells the client that nothing more is written; it can still be read from.
  func endWriting() { _ = shutdown(socket, Int32(SHUT_WR)) }

  /// Reads some bytes; nil at the end of the connection, or after the time limit.
  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      guard waitForBytes() else { return nil }
      let size = unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(socket, $0.baseAddress, $0.count, 0)
      }
      if size > 0 { return Array(buffer.prefix(size)) }
      if size == 0 || errno != EINTR { return nil }
    }
  }

  /// Waits until bytes have arrived, or the connection ends; false after the time limit.
  private func waitForBytes() -> Bool {
    while let end = deadline.withLock({ $0 }) {
      let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
      if rest <= 0 { return false }
      var wanted = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&wanted, 1, Int32(min(rest, 60_000).rounded(.up))) > 0 { return true }
    }
    return true
  }

  /// Writes all bytes; false if the connection has ended, or if writing exceeds the time limit.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let size = unsafe rest.withUnsafeBytes {
        unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if size > 0 {
        rest = rest.dropFirst(size)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
