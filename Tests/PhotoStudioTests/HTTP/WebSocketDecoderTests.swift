import Testing

@testable import PhotoStudio

@Suite struct WebSocketDecoderTests {
  /// A frame as a browser sends it.
  private static func frame(
    _ code: UInt8, _ payload: [UInt8], isLast: Bool = true, isMasked: Bool = true
  ) -> [UInt8] {
    let mask: [UInt8] = [7, 200, 31, 5]
    var bytes: [UInt8] = [(isLast ? 0x80 : 0) | code]
    let bit: UInt8 = isMasked ? 0x80 : 0
    if payload.count < 126 {
      bytes.append(bit | UInt8(payload.count))
    } else {
      bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    }
    if !isMasked { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }

  @Test func messagesAreDecodedFromPortionsOfTheStreamOfAnySize() throws {
    let long = String(repeating: "é", count: 5000)
    let stream =
      Self.frame(1, Array("hello".utf8)) + Self.frame(9, [1, 2])
      + Self.frame(1, Array(long.utf8)) + Self.frame(8, [])
    for size in [1, 3, 1000, stream.count] {
      var decoder = WebSocketDecoder()
      var found: [WebSocketDecoder.Message] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        found += try decoder.messages(in: stream[start..<min(start + size, stream.count)])
      }
      #expect(found == [.text("hello"), .ping([1, 2]), .text(long), .close])
    }
  }

  @Test func aTextInSeveralFramesIsDecodedAsOneMessage() throws {
    var decoder = WebSocketDecoder()
    let euro = Array("€".utf8)
    #expect(try decoder.messages(in: Self.frame(1, [euro[0]], isLast: false)) == [])
    #expect(try decoder.messages(in: Self.frame(9, [])) == [.ping([])])
    #expect(try decoder.messages(in: Self.frame(0, Array(euro[1...]))) == [.text("€")])
  }

  /// The limit can rise between two messages that arrive together, but a long message of a stranger
  /// is refused before its bytes arrive.
  @Test func theLimitIsThatOfTheNextMessage() throws {
    var decoder = WebSocketDecoder()
    decoder.longest = WebSocketDecoder.longestOfStranger
    let long = [UInt8](repeating: 65, count: 300)
    decoder.feed(Self.frame(1, [65]) + Self.frame(1, long) + Self.frame(1, long).prefix(4))
    #expect(try decoder.next() == .text("A"))
    decoder.longest = WebSocketDecoder.longest
    #expect(try decoder.next() == .text(String(decoding: long, as: UTF8.self)))
    decoder.longest = WebSocketDecoder.longestOfStranger
    #expect(throws: WebSocketDecoder.Problem.tooLong) { try decoder.next() }
  }

  @Test(
    arguments: [
      (frame(1, [65], isMasked: false), WebSocketDecoder.Problem.violation),
      ([0xC1, 0x80, 0, 0, 0, 0], .violation), (frame(3, []), .violation),
      (frame(0, [65]), .violation), (frame(9, [], isLast: false), .violation),
      (frame(2, [1]), .unsupported), (frame(1, [0xFF]), .notUTF8),
      ([0x81, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0], .tooLong),
      ([0x81, 0xFF, 0, 0, 0, 0, 0, 2, 0, 0], .tooLong),
    ] as [([UInt8], WebSocketDecoder.Problem)])
  func aFrameThatTheProtocolForbidsEndsTheConnection(
    _ bytes: [UInt8], _ problem: WebSocketDecoder.Problem
  ) {
    var decoder = WebSocketDecoder()
    #expect(throws: problem) { try decoder.messages(in: bytes) }
  }

  @Test func theLengthOfASentFrameIsWrittenInTheShortestForm() {
    #expect(WebSocketDecoder.frame(1, [65]) == [0x81, 1, 65])
    let middle = WebSocketDecoder.frame(2, [UInt8](repeating: 0, count: 300))
    #expect(Array(middle.prefix(4)) == [0x82, 126, 1, 44])
    let long = WebSocketDecoder.frame(2, [UInt8](repeating: 0, count: 70_000))
    #expect(Array(long.prefix(10)) == [0x82, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70])
  }
}

extension WebSocketDecoder {
  /// The messages that these bytes complete.
  fileprivate mutating func messages(
    in bytes: some Sequence<UInt8>
  ) throws(Problem) -> [Message] {
    feed(bytes)
    var messages: [Message] = []
    while let message = try next() { messages.append(message) }
    return messages
  }
}
