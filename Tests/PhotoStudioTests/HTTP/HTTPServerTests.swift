import Foundation
import Glibc
import Testing

@testable import PhotoStudio

/// The order in which the server reads, and the time that it gives a client.
@Suite struct HTTPServerTests {
  /// Refuses all requests without the field `authorization`.
  private struct Gate: HTTPServer.Handler {
    func refusal(of request: HTTPRequest) -> HTTPResponse? {
      request.fields["authorization"] == nil ? HTTPResponse(401) : nil
    }

    func response(to request: HTTPRequest) -> HTTPResponse {
      let size = request.query["size"].flatMap { Int($0) }
      return HTTPResponse(200, size.map { [UInt8](repeating: 0, count: $0) } ?? request.body)
    }

    func serve(_ socket: WebSocket) { socket.receive { _ in } }
  }

  /// A client that sends plain bytes; ends its connection with its life.
  private final class Client {
    private let socket: Int32

    /// Connects; `window` is the number of bytes that the kernel receives before they are read, nil
    /// for the usual number.
    init(_ port: Int, window: Int32? = nil) {
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      if var window {
        _ = unsafe setsockopt(
          socket, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
      }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(UInt16(port)).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      _ = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }

    deinit { close(socket) }

    /// Sends a text; false if the server has ended the connection.
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) -> Bool {
      unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) == $0.count
      }
    }

    /// Reads at most `count` bytes; returns their number, 0 at the end and less after an error.
    func read(_ count: Int) -> Int {
      var buffer = [UInt8](repeating: 0, count: count)
      return unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(socket, $0.baseAddress, $0.count, 0)
      }
    }

    /// The text that the server has sent when it has written all; waits at most ten seconds.
    func answer() -> String {
      var time = timeval(tv_sec: 10, tv_usec: 0)
      _ = unsafe setsockopt(
        socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
      var received: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let size = unsafe buffer.withUnsafeMutableBytes {
          unsafe recv(socket, $0.baseAddress, $0.count, 0)
        }
        guard size > 0 else { return String(decoding: received, as: UTF8.self) }
        received += buffer.prefix(size)
      }
    }
  }

  private static func serving(
    requestTime: Duration = .seconds(20), responseTime: Duration = .seconds(20),
    _ body: (Int) throws -> Void
  ) throws {
    let server = try HTTPServer(port: 0, requestTime: requestTime, responseTime: responseTime)
    Thread.detachNewThread { server.run(Gate()) }
    defer { server.stop() }
    try body(server.port)
  }

  @Test func aRequestIsRefusedBeforeItsBodyArrives() throws {
    try Self.serving { port in
      let client = Client(port)
      #expect(client.send("POST /api/edit HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n"))
      #expect(client.answer().hasPrefix("HTTP/1.1 401 "))
    }
  }

  @Test func aRequestWithABodyIsAnswered() throws {
    try Self.serving { port in
      let client = Client(port)
      #expect(
        client.send(
          "POST / HTTP/1.1\r\nHost: a\r\nAuthorization: x\r\nConnection: close\r\n"
            + "Content-Length: 4\r\n\r\n"))
      #expect(client.send("body"))
      #expect(client.answer().hasSuffix("\r\n\r\nbody"))
    }
  }

  /// A client that reads a few bytes now and then cannot keep a thread of the server forever.
  @Test func aResponseThatIsReadSlowlyEndsAfterItsTime() throws {
    let size = 32 << 20
    // The size prolongs the time by some minutes, which are taken back here.
    let time = Duration.milliseconds(300) - .seconds(size / (64 << 10))
    try Self.serving(responseTime: time) { port in
      let client = Client(port, window: 4096)
      let get = "GET /?size=\(size) HTTP/1.1\r\nHost: a\r\nAuthorization: x\r\n\r\n"
      #expect(client.send(get))
      var received = 0
      while received < size {
        let count = client.read(4 << 10)
        if count <= 0 { break }
        received += count
        usleep(4_000)
      }
      #expect(received < size, "the server writes without end")
    }
  }

  /// A client has longer for a large response.
  @Test func theTimeOfAResponseGrowsWithItsSize() {
    let limit = Connection.WritingLimit(least: .seconds(20), bytesPerSecond: 64 << 10)
    #expect(limit.time(0) == .seconds(20))
    #expect(limit.time(6 << 20) == .seconds(116))
  }

  /// A client that sends a byte now and then cannot keep a thread of the server forever.
  @Test(arguments: [
    ("GET / HTTP/1.1\r\nX: ", []),
    ("POST / HTTP/1.1\r\nHost: a\r\nAuthorization: x\r\nContent-Length: 100000\r\n\r\n", []),
    (
      "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: x\r\nUpgrade: websocket\r\n"
        + "Connection: upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", [0x81, 0xFE, 0x40, 0]
    ),
  ])
  func aSlowRequestEndsAfterItsTime(_ start: String, _ frame: [UInt8]) throws {
    try Self.serving(requestTime: .milliseconds(300)) { port in
      let client = Client(port)
      #expect(client.send(Array(start.utf8) + frame))
      // Without a limit for the whole request, each of these bytes would prolong it.
      var sent = 0
      while sent < 600, client.send("x") {
        sent += 1
        usleep(50_000)
      }
      #expect(sent < 600, "the server reads without end")
    }
  }
}
