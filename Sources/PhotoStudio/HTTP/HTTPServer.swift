import Glibc
import Synchronization
package import SystemPackage
import Vips

/// An HTTP server on the loopback interface, with one thread for each connection.
///
/// A browser opens only a few connections, and keeps each of them open for long, so one thread for
/// each is simple and sufficient.
package final class HTTPServer: Sendable {
  /// Handles requests; called on the thread of the connection.
  package protocol Handler: Sendable {
    /// The refusal of a request by its head; nil if its body is read and it is answered.
    func refusal(of request: HTTPRequest) -> HTTPResponse?
    func response(to request: HTTPRequest) -> HTTPResponse
    /// Uses a WebSocket until it ends.
    func serve(_ socket: WebSocket)
  }

  /// The number of connections that are open at the same time.
  static let mostConnections = 64
  /// The time that a connection may stay silent between requests.
  private static let idleTime = Duration.seconds(60)
  /// The bytes of a refused request that are read and dropped, and the time for that, so that the
  /// client gets the refusal before the connection ends.
  private static let (mostDropped, droppingTime) = (64 << 10, Duration.seconds(2))

  private let listener: Int32
  package let port: Int
  private let requestTime: Duration
  private let writingLimit: Connection.WritingLimit
  private let open = Mutex<[ObjectIdentifier: Connection]>([:])

  /// Listens on 127.0.0.1.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for one that is free.
  ///   - requestTime: The time from a request's first byte to its last, and from a WebSocket's
  ///     request to its first message that the handler accepts.
  ///   - responseTime: The time in which a client has to take a response, or a message of a
  ///     WebSocket; longer by a second for each 64 KiB.
  /// - Throws: `Errno` if the port is taken.
  package init(
    port: Int, requestTime: Duration = .seconds(20), responseTime: Duration = .seconds(20)
  ) throws(Errno) {
    self.requestTime = requestTime
    writingLimit = Connection.WritingLimit(least: responseTime, bytesPerSecond: 64 << 10)
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let opened = socket(AF_INET, kind, 0)
    guard opened >= 0 else { throw Errno(rawValue: errno) }
    var on: Int32 = 1
    _ = unsafe setsockopt(
      opened, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard unsafe bind(opened, address, size) == 0, listen(opened, 64) == 0 else {
          return errno
        }
        return unsafe getsockname(opened, address, &size) == 0 ? 0 : errno
      }
    }
    if result != 0 {
      close(opened)
      throw Errno(rawValue: result)
    }
    listener = opened
    self.port = Int(UInt16(bigEndian: address.sin_port))
  }

  /// Accepts connections until `stop` is called; blocks the calling thread.
  package func run(_ handler: any Handler) {
    while true {
      let socket = accept(listener, nil, nil)
      if socket < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        // Without free descriptors, the next connection waits until one is closed.
        if errno == EMFILE || errno == ENFILE {
          usleep(100_000)
          continue
        }
        return
      }
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      let connection = Connection(socket, writing: writingLimit)
      let isTooMany = open.withLock { open in
        if open.count >= Self.mostConnections { return true }
        open[ObjectIdentifier(connection)] = connection
        return false
      }
      if isTooMany { continue }
      BlockingThread.start {
        self.serve(connection, handler)
        self.open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
      }
    }
  }

  /// True while there are connections.
  package var isServing: Bool { open.withLock { !$0.isEmpty } }

  /// Ends all connections, and `run`; the work for requests that have arrived goes on.
  package func stop() {
    _ = shutdown(listener, Int32(SHUT_RDWR))
    for connection in open.withLock({ Array($0.values) }) { connection.end() }
  }

  private func serve(_ connection: Connection, _ handler: any Handler) {
    var reader = RequestReader(connection)
    while true {
      connection.setReadingTime(Self.idleTime)
      guard reader.waitForStart() else { return }
      connection.setReadingTime(requestTime)
      var request: HTTPRequest
      do throws(HTTPProblem) {
        guard let head = try reader.head() else { return }
        request = head
        // The body of a request without the token is never needed.
        if let refusal = handler.refusal(of: request) {
          return Self.refuse(refusal, connection)
        }
        guard let body = try reader.body(of: request) else { return }
        request.body = body
      } catch {
        return Self.refuse(HTTPResponse(error.status), connection)
      }
      if request.fields["upgrade"] != nil {
        guard let accept = WebSocket.accept(request) else {
          connection.write(HTTPResponse(400).bytes(closes: true))
          return
        }
        connection.write(accept)
        handler.serve(WebSocket(connection, received: reader.rest))
        return
      }
      let response = handler.response(to: request)
      if !connection.write(response.bytes(closes: request.closes)) || request.closes { return }
    }
  }
}

extension HTTPServer {
  /// Answers a request whose body is not read, and ends the connection.
  ///
  /// Bytes that the client still sends are dropped; if they stayed unread, the kernel would reset
  /// the connection, and the client could lose the answer.
  private static func refuse(_ refusal: HTTPResponse, _ connection: Connection) {
    connection.write(refusal.bytes(closes: true))
    connection.endWriting()
    connection.setReadingTime(droppingTime)
    var dropped = 0
    while dropped < mostDropped, let more = connection.read() { dropped += more.count }
  }
}

/// Reads one request after another from a connection.
private struct RequestReader {
  private let connection: Connection
  /// The bytes that were received after the last request.
  private(set) var rest: [UInt8] = []

  init(_ connection: Connection) { self.connection = connection }

  /// Waits for the first byte of the next request; false if the connection ends before it.
  mutating func waitForStart() -> Bool {
    if !rest.isEmpty { return true }
    guard let more = connection.read() else { return false }
    rest = more
    return true
  }

  /// The head of the next request; nil if the connection ends before its end.
  mutating func head() throws(HTTPProblem) -> HTTPRequest? {
    var start = 0
    var end = Self.endOfHead(rest, from: 0)
    while end == nil {
      if rest.count > HTTPRequest.longestHead { throw .headTooLong }
      start = max(0, rest.count - 3)
      guard let more = connection.read() else { return nil }
      rest += more
      end = Self.endOfHead(rest, from: start)
    }
    guard let end else { return nil }
    let request = try HTTPRequest(head: rest[..<end])
    rest.removeFirst(end + 4)
    return request
  }

  /// The body of the request whose head was read last; nil if the connection ends before its end.
  mutating func body(of request: HTTPRequest) throws(HTTPProblem) -> [UInt8]? {
    let size = try request.bodySize()
    while rest.count < size {
      guard let more = connection.read() else { return nil }
      rest += more
    }
    let body = Array(rest.prefix(size))
    rest.removeFirst(size)
    return body
  }

  /// The offset of the empty line that ends a head.
  private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= 4, start <= bytes.count - 4 else { return nil }
    return (start...(bytes.count - 4)).first {
      bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
    }
  }
}
