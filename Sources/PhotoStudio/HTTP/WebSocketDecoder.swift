/// Decodes the frames that a browser sends over a WebSocket (RFC 6455); the bytes may arrive in
/// portions of any size.
package struct WebSocketDecoder: Sendable {
  package enum Message: Sendable, Hashable {
    case text(String)
    case ping([UInt8])
    case pong
    case close
  }

  /// The reason why the connection is closed, as its code in RFC 6455.
  package enum Problem: Int, Error {
    case violation = 1002
    case unsupported = 1003
    case notUTF8 = 1007
    case tooLong = 1009
  }

  /// The maximum size of a message in bytes, of peers that the handler trusts and of others.
  package static let (longest, longestOfStranger) = (64 << 10, 200)

  /// The maximum size of the next message in bytes.
  package var longest = Self.longest
  private var waiting: [UInt8] = []
  /// The received part of a text that is sent in several frames; nil between texts.
  private var text: [UInt8]?

  package init() {}

  /// Adds received bytes.
  package mutating func feed(_ bytes: some Sequence<UInt8>) { waiting += bytes }

  /// Removes and returns the next message; nil if it is not complete yet.
  package mutating func next() throws(Problem) -> Message? {
    while let (frame, length) = try frame() {
      waiting.removeFirst(length)
      if let message = try message(frame) { return message }
    }
    return nil
  }

  private struct Frame {
    var isLast: Bool
    var code: UInt8
    var payload: [UInt8]
  }

  /// The first frame and its size; nil if it is not complete yet.
  private func frame() throws(Problem) -> (Frame, Int)? {
    guard waiting.count >= 2 else { return nil }
    let (first, second) = (waiting[0], waiting[1])
    // No extension is offered, so reserved bits have no meaning; a browser masks all frames.
    guard first & 0x70 == 0, second & 0x80 != 0 else { throw .violation }
    let (code, isLast) = (first & 0x0F, first & 0x80 != 0)
    var size = Int(second & 0x7F)
    if code >= 8, !isLast || size > 125 { throw .violation }
    var start = 2
    if size >= 126 {
      let width = size == 126 ? 2 : 8
      guard waiting.count >= 2 + width else { return nil }
      // The protocol forbids sizes with the highest bit set; sizes of more than four bytes exceed
      // the limit in any case.
      if width == 8, waiting[2..<6].contains(where: { $0 != 0 }) { throw .tooLong }
      size = waiting[(2 + width - min(width, 4))..<(2 + width)].reduce(0) { $0 << 8 | Int($1) }
      start += width
    }
    guard size <= longest else { throw .tooLong }
    let end = start + 4 + size
    guard waiting.count >= end else { return nil }
    let mask = Array(waiting[start..<start + 4])
    var payload = Array(waiting[(start + 4)..<end])
    for index in payload.indices { payload[index] ^= mask[index & 3] }
    return (Frame(isLast: isLast, code: code, payload: payload), end)
  }

  private mutating func message(_ frame: Frame) throws(Problem) -> Message? {
    switch frame.code {
    case 0, 1:
      guard (frame.code == 0) == (text != nil) else { throw .violation }
      let whole = (text ?? []) + frame.payload
      guard whole.count <= longest else { throw .tooLong }
      text = frame.isLast ? nil : whole
      if !frame.isLast { return nil }
      guard let string = String(validating: whole, as: UTF8.self) else { throw .notUTF8 }
      return .text(string)
    case 2: throw .unsupported
    case 8: return .close
    case 9: return .ping(frame.payload)
    case 10: return .pong
    default: throw .violation
    }
  }

  /// The bytes of a frame that the server sends; its code is 1 for text, 2 for bytes, 8 to close,
  /// 10 to answer a ping.
  package static func frame(_ code: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var head: [UInt8] = [0x80 | code]
    switch payload.count {
    case ..<126: head.append(UInt8(payload.count))
    case ..<65_536: head += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default:
      head.append(127)
      head += (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) }
    }
    return head + payload
  }
}
