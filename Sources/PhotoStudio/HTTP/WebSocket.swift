import FoundationEssentials
import Hashing
import Synchronization

/// An open WebSocket: one thread receives, any thread sends.
package final class WebSocket: Sendable {
  private let connection: Connection
  private let writing = Mutex(())
  /// The bytes that were received with the request.
  private let received: [UInt8]
  private let isTrusted = Mutex(false)

  init(_ connection: Connection, received: [UInt8]) {
    (self.connection, self.received) = (connection, received)
  }

  /// Allows long texts, and any time between them.
  ///
  /// Before, a socket ends when the time of its request has passed, or at a text of more than 200
  /// bytes.
  package func trust() {
    isTrusted.withLock { $0 = true }
    connection.setReadingTime(nil)
  }

  /// Receives texts until the socket ends, and calls `body` with each.
  package func receive(_ body: (String) -> Void) {
    var (decoder, received) = (WebSocketDecoder(), received)
    func next() throws(WebSocketDecoder.Problem) -> WebSocketDecoder.Message? {
      let isTrusted = isTrusted.withLock { $0 }
      decoder.longest =
        isTrusted ? WebSocketDecoder.longest : WebSocketDecoder.longestOfStranger
      return try decoder.next()
    }
    while true {
      decoder.feed(received)
      do throws(WebSocketDecoder.Problem) {
        while let message = try next() {
          switch message {
          case .text(let text): body(text)
          case .ping(let payload): send(10, payload)
          case .pong: break
          case .close:
            send(8, [])
            return end()
          }
        }
      } catch {
        send(8, [UInt8(error.rawValue >> 8), UInt8(error.rawValue & 0xFF)])
        return end()
      }
      guard let more = connection.read() else { return end() }
      received = more
    }
  }

  package func send(_ text: String) { send(1, Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) { send(2, bytes) }

  package func end() { connection.end() }

  private func send(_ code: UInt8, _ payload: [UInt8]) {
    let isSent = writing.withLock { _ in
      connection.write(WebSocketDecoder.frame(code, payload))
    }
    if !isSent { end() }
  }

  /// The response that turns a connection into a WebSocket; nil if the request is not a correct
  /// request for a WebSocket.
  static func accept(_ request: HTTPRequest) -> [UInt8]? {
    let tokens = request.fields["connection"]?.lowercased().split(separator: ",") ?? []
    guard request.method == "GET", request.fields["upgrade"]?.lowercased() == "websocket",
      tokens.contains(where: { $0.filter { $0 != " " } == "upgrade" }),
      request.fields["sec-websocket-version"] == "13", request.body.isEmpty,
      let key = request.fields["sec-websocket-key"], Data(base64Encoded: key)?.count == 16
    else { return nil }
    let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    let answer = Data(Hash.of(Array(text.utf8), .sha1)).base64EncodedString()
    let head = """
      HTTP/1.1 101 Switching Protocols\r
      Upgrade: websocket\r
      Connection: Upgrade\r
      Sec-WebSocket-Accept: \(answer)\r
      \r

      """
    return Array(head.utf8)
  }
}
