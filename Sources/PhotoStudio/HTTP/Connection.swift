import Glibc
import SystemCalls

/// One connection of a browser, used by one thread that reads and any number that write.
final class Connection: Sendable {
  private let socket: Int32

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

  /// Limits the seconds of each read; nil for reads without limit.
  func setReadingTime(_ seconds: Int?) { setTime(SO_RCVTIMEO, seconds ?? 0) }

  /// Limits the seconds of each write.
  func setWritingTime(_ seconds: Int) { setTime(SO_SNDTIMEO, seconds) }

  private func setTime(_ option: Int32, _ seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    _ = unsafe setsockopt(
      socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Reads some bytes; nil at the end of the connection, or after the time limit.
  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let size = unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(socket, $0.baseAddress, $0.count, 0)
      }
      if size > 0 { return Array(buffer.prefix(size)) }
      if size == 0 || errno != EINTR { return nil }
    }
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
