import Glibc
import Synchronization
import SystemCalls

/// One connection of a browser, used by one thread that reads and any number that write.
final class Connection: Sendable {
  private let socket: Int32
  /// The time at which reads end; nil for reads without limit.
  private let readingEnd = Mutex<ContinuousClock.Instant?>(nil)
  private let writingLimit: WritingLimit

  /// The time that a client has to take what is written.
  struct WritingLimit: Sendable {
    var least: Duration
    /// The number of bytes for which the time is a second longer.
    var bytesPerSecond: Int

    func time(_ bytes: Int) -> Duration {
      least + .seconds(1) * (Double(bytes) / Double(bytesPerSecond))
    }
  }

  /// Takes ownership of a connected socket.
  init(_ socket: Int32, writing limit: WritingLimit) {
    (self.socket, writingLimit) = (socket, limit)
    var on: Int32 = 1
    // Without this option, the kernel keeps a small response back while the client has not
    // acknowledged the one before, and clients delay acknowledgements by up to 40 ms.
    _ = unsafe setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(socket) }

  /// Ends the connection; reads and writes of other threads then fail.
  func end() { _ = shutdown(socket, Int32(SHUT_RDWR)) }

  /// Ends all reads, the present one and later ones, when the time has passed; nil for reads
  /// without limit.
  func setReadingTime(_ time: Duration?) {
    readingEnd.withLock { $0 = time.map { ContinuousClock.now + $0 } }
  }

  /// Tells the client that nothing more is written; it can still be read from.
  func endWriting() { _ = shutdown(socket, Int32(SHUT_WR)) }

  /// Reads some bytes; nil at the end of the connection, or after the time limit.
  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      while let end = readingEnd.withLock({ $0 }) {
        if isReady(POLLIN, before: end) { break }
        // The limit may have been lifted meanwhile.
        if readingEnd.withLock({ $0.map { $0 <= .now } ?? false }) { return nil }
      }
      let size = unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(socket, $0.baseAddress, $0.count, 0)
      }
      if size > 0 { return Array(buffer.prefix(size)) }
      if size == 0 || errno != EINTR { return nil }
    }
  }

  /// Waits until the socket can be read or written, or the connection ends, for at most a minute;
  /// false if none of them happened.
  private func isReady(_ event: Int32, before end: ContinuousClock.Instant) -> Bool {
    let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
    if rest <= 0 { return false }
    var wanted = pollfd(fd: socket, events: Int16(event), revents: 0)
    return unsafe poll(&wanted, 1, Int32(min(rest, 60_000).rounded(.up))) > 0
  }

  /// Writes all bytes; false if the connection has ended, or if writing exceeds its time.
  ///
  /// The time is that of the whole write, so that a client that takes a few bytes now and then
  /// cannot prolong it.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    let end = ContinuousClock.now + writingLimit.time(bytes.count)
    var rest = bytes[...]
    while !rest.isEmpty {
      let size = unsafe rest.withUnsafeBytes {
        unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if size > 0 {
        rest = rest.dropFirst(size)
      } else if errno == EAGAIN {
        if !isReady(POLLOUT, before: end) && end <= .now { return false }
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
