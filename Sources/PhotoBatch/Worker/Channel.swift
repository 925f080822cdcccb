import Glibc
import Notation
import PhotoRecipes
import SystemCalls
import SystemPackage

/// One end of a socket pair that carries JSON messages and open files between coordinator and
/// worker.
///
/// A message is its length in four bytes, little-endian, followed by its text. Descriptors are sent
/// with the first byte.
struct Channel: Sendable {
  let socket: Int32

  /// The maximum size of a message in bytes; a recipe has a few kilobytes.
  private static let sizeLimit = 16 << 20

  enum Failure: Error {
    /// The process at the other end has closed its socket.
    case closed
    case timedOut
    case system(Errno)
  }

  /// Creates two sockets that are connected with each other; both are close-on-exec.
  static func pair() throws(Failure) -> (Channel, Channel) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let result = unsafe ends.withUnsafeMutableBufferPointer {
      unsafe socketpair(AF_UNIX, kind, 0, $0.baseAddress)
    }
    if result != 0 { throw .system(Errno(rawValue: errno)) }
    return (Channel(socket: ends[0]), Channel(socket: ends[1]))
  }

  func close() { _ = Glibc.close(socket) }

  func send(_ message: JSON, descriptors: [Int32] = []) throws(Failure) {
    let text = message.compactBytes
    let length = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: text.count >> $0) }
    var rest = (length + text)[...]
    var descriptors = descriptors
    while !rest.isEmpty {
      let sent = unsafe rest.withUnsafeBytes { bytes in
        unsafe phbatch_send(
          socket, bytes.baseAddress, bytes.count, descriptors, descriptors.count)
      }
      if sent == -Int(EINTR) { continue }
      if sent == -Int(EPIPE) || sent == -Int(ECONNRESET) { throw .closed }
      if sent < 0 { throw .system(Errno(rawValue: Int32(-sent))) }
      rest = rest.dropFirst(sent)
      descriptors = []
    }
  }

  /// Waits for a message until the deadline, or without limit if the deadline is nil.
  ///
  /// The received descriptors belong to the caller.
  ///
  /// Calls `check` every `interval` while it waits; an error that `check` throws ends the wait.
  func receive(
    until deadline: ContinuousClock.Instant? = nil, every interval: Duration = .seconds(3600),
    check: () throws(Failure) -> Void = {}
  ) throws(Failure) -> (message: JSON, descriptors: [Int32]) {
    var descriptors: [Int32] = []
    while let deadline, try !isReady(until: min(deadline, .now + interval)) {
      if .now >= deadline { throw .timedOut }
      try check()
    }
    let head = try bytes(4, &descriptors, deadline)
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.sizeLimit else { throw .system(.messageTooLong) }
    let text = try bytes(length, &descriptors, deadline)
    let parsed = JSONParser.parse(SourceText(name: "message", bytes: text))
    guard let message = parsed.json else { throw .closed }
    return (message, descriptors)
  }

  private func bytes(
    _ count: Int, _ descriptors: inout [Int32], _ deadline: ContinuousClock.Instant?
  ) throws(Failure) -> [UInt8] {
    var received: [UInt8] = []
    while received.count < count {
      try wait(until: deadline)
      var buffer = [UInt8](repeating: 0, count: min(count - received.count, 1 << 16))
      var files = [Int32](repeating: -1, count: Int(phbatch_message_descriptors))
      var fileCount = 0
      let size = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe phbatch_receive(socket, bytes.baseAddress, bytes.count, &files, &fileCount)
      }
      if size == -Int(EINTR) { continue }
      if size == 0 || size == -Int(ECONNRESET) { throw .closed }
      if size < 0 { throw .system(Errno(rawValue: Int32(-size))) }
      received += buffer.prefix(size)
      descriptors += files.prefix(fileCount)
    }
    return received
  }

  private func wait(until deadline: ContinuousClock.Instant?) throws(Failure) {
    guard let deadline else { return }
    if try !isReady(until: deadline) { throw .timedOut }
  }

  /// Waits until data can be received; false if none arrives before the deadline.
  private func isReady(until deadline: ContinuousClock.Instant) throws(Failure) -> Bool {
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      if left <= .zero { return false }
      let milliseconds = Int32(min(left.components.seconds, 3600) * 1000) + 1
      let part = Int32(left.components.attoseconds / 1_000_000_000_000_000)
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&entry, 1, milliseconds + part) > 0 { return true }
    }
  }
}
